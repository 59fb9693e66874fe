const ACCENTS = /[\u0300-\u036f]/g

/** A text for comparison: lower case, without accents, with straight apostrophes. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('\u2019', "'")
}
