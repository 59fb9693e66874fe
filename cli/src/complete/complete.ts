import type { Command } from 'commander'
import { findCandidates } from './find-candidates.ts'
import type { Terminal } from '../terminal.ts'
import { lookUpFor } from './look-up.ts'

/** The lines for a shell. Without any, it completes names of files. */
export async function complete(program: Command, terminal: Terminal, words: readonly string[]): Promise<string> {
  // PowerShell cannot send an empty word.
  const sent = words.map((word) => (word === '""' ? '' : word))
  try {
    const found = await findCandidates(program, sent, lookUpFor(terminal))
    return found.map(({ word, about }) => `${word}\t${about.replaceAll(/\s+/g, ' ')}\n`).join('')
  } catch {
    // A shell that completes a word has no place for an error. The command itself reports it.
    return ''
  }
}
