@rem What the npm scripts' "exec" means to a Windows shell, which has no such word: run the rest of the line.
@%*
