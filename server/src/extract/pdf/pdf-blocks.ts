/** A block of a PDF's text before rendering. */
export type PdfBlock = { page: number } & (
  | { kind: 'heading'; level: number; text: string }
  | {
      kind: 'text' | 'item'
      text: string
      size: number
      /** Offsets into the text at which later pages start. */
      turns?: { at: number; page: number }[]
    }
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: string[][] }
)
