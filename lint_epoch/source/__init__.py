"""Files to text: which files belong to a project, what they hold, and what comments in them silence."""
