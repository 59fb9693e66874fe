const IMPORT =
  /^[ \t]*(?:import|export|(?:const|let|var) [^=\n]{0,200}= *require\()[^'"]{0,400}['"][^'"\n]*['"]\)?;?[ \t]*$/gm

/** Whether code is nothing but JavaScript imports, which show nothing. Statements are read up to 400 characters. */
export function isOnlyImports(code: string): boolean {
  return code.replaceAll(IMPORT, '').trim() === ''
}
