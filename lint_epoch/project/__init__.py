"""Records to meaning: names, values, passes over loaders, epoch paths."""
