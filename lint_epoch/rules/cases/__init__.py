"""The rules' examples, one module a rule: small projects that its tests check and its documentation may show."""
