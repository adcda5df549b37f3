"""The commands: arguments in, a verb called, its result shown. What a verb does is a public function elsewhere."""
