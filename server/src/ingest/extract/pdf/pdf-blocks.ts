/** A block of a PDF's text, before it is written. */
export type PdfBlock = { page: number } & (
  | { kind: 'heading'; level: number; text: string }
  | {
      kind: 'text' | 'item'
      text: string
      size: number
      /** Where it goes on on further pages: offsets into the text. */
      turns?: { at: number; page: number }[]
    }
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: string[][] }
)
