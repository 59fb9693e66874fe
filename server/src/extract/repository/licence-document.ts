import type { FileDocument } from './repository-file.ts'

/** Common licences by their unique words, with SPDX identifiers. The first match wins. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3/i, 'AGPL-3.0'],
  [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/i, 'LGPL-3.0'],
  [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1/i, 'LGPL-2.1'],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 3/i, 'GPL-3.0'],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 2/i, 'GPL-2.0'],
  [/Apache License\s+Version 2\.0/i, 'Apache-2.0'],
  [/Mozilla Public License(?:\s*,)?\s+Version 2\.0/i, 'MPL-2.0'],
  [/Business Source License/i, 'BUSL-1.1'],
  [/This is free and unencumbered software/i, 'Unlicense'],
  [/Permission is hereby granted, free of charge, to any person obtaining a copy/i, 'MIT'],
  [/Permission to use, copy, modify, and\/or distribute this software/i, 'ISC'],
  [/neither the names? of[^;]{0,300}endorse\s+or\s+promote/i, 'BSD-3-Clause'],
  [/Redistribution and use in source and binary forms/i, 'BSD-2-Clause'],
  [/CC0 1\.0 Universal/i, 'CC0-1.0'],
  [/Creative Commons Attribution 4\.0/i, 'CC-BY-4.0'],
]

/**
 * Maximum length of the excerpt, in characters: name, copyright lines and first sentences. Nobody searches
 * documentation for the rest.
 */
const MAX_LENGTH = 1_500

/** Converts a licence file to a short document with the name of the licence. */
export function licenceDocument(path: string, text: string): FileDocument {
  const known = KNOWN.find(([pattern]) => pattern.test(text.slice(0, 20_000)))?.[1]
  const start = text.trim()
  const cut =
    start.length > MAX_LENGTH ? `${start.slice(0, start.lastIndexOf('\n', MAX_LENGTH) + 1).trimEnd()}\n\n…` : start
  const title = known ? `Licence: ${known}` : `Licence (${path})`
  const sentence = known ? `This repository's file \`${path}\` is the licence ${known}.` : ''
  return { title, markdown: [`# ${title}`, sentence, cut].filter((part) => part !== '').join('\n\n') }
}
