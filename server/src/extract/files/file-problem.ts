import type { RejectReason } from '../extracted-page.ts'

/** The file as a whole is unreadable. The message is a sentence for its owner. */
export class FileProblem extends Error {
  override name = 'FileProblem'
  readonly reason: RejectReason

  constructor(reason: RejectReason, message: string) {
    super(message)
    this.reason = reason
  }
}
