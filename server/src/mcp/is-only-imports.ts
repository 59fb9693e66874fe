const IMPORT =
  /^[ \t]*(?:import|export|(?:const|let|var) [^=\n]{0,200}= *require\()[^'"]{0,400}['"][^'"\n]*['"]\)?;?[ \t]*$/gm

/**
 * True if code consists only of JavaScript imports, which demonstrate nothing. Reads statements of up to 400
 * characters.
 */
export function isOnlyImports(code: string): boolean {
  return code.replaceAll(IMPORT, '').trim() === ''
}
