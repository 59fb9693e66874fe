/** Kinds of source, as spelled in the contract. */
export const SOURCE_TYPES = ['website', 'docs', 'repo', 'api', 'mcp', 'pdf'] as const

type SourceType = (typeof SOURCE_TYPES)[number]

/** Content that a tool needs and that not every kind of source has. Every kind has text. */
export type Content = 'text' | 'code' | 'names' | 'releases' | 'issues' | 'steps' | 'schemas'

/** Rules for one kind of source. */
export type SourceKind = {
  /** Its name for people. */
  title: string
  /** Read page by page along its links and lists, or by a reader for this kind. */
  reading: 'crawl' | 'reader'
  /** Every run reads all documents, so a missing document has been deleted. */
  isWhole: boolean
  /** A credential can be stored with the source. */
  takesCredential: boolean
  /** Has remote tools, which can be called live. */
  hasTools: boolean
  /** A repository of a code host: a linked account may give access, and paths begin with owner and name. */
  isRepository: boolean
  /** Its pages document the operations of an API. */
  describesApi: boolean
  /** Content for tools. */
  gives: readonly Content[]
  /** Whether the address alone suggests this kind. The kind with the lowest `rank` wins. */
  suggestedBy: { rank: number; test: (address: URL) => boolean }
}

const CODE_HOSTS = new Set(['github.com', 'www.github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'git.sr.ht'])

const OF_SITES = ['text', 'code', 'names', 'releases', 'steps', 'schemas'] as const
const site = { isWhole: false, takesCredential: false, hasTools: false, isRepository: false, describesApi: false }

/**
 * The kinds of source. Of a new kind, the compiler also asks for a reader in `server/src/sources/readers.ts` and for its
 * names in rules (`server/src/grammar/phrases/names.json`). `server/src/sources/detect-source.ts` recognizes content.
 */
export const SOURCE_KINDS = {
  website: { ...site, title: 'website', reading: 'crawl', gives: OF_SITES, suggestedBy: { rank: 6, test: () => true } },
  docs: {
    ...site,
    title: 'documentation site',
    reading: 'crawl',
    gives: OF_SITES,
    suggestedBy: {
      rank: 5,
      test: ({ hostname, pathname }) =>
        /^(docs?|documentation|developers?|api|learn|guide)\./.test(hostname) || /\/docs?(\/|$)/.test(pathname),
    },
  },
  repo: {
    ...site,
    title: 'repository',
    reading: 'reader',
    isWhole: true,
    isRepository: true,
    gives: [...OF_SITES, 'issues'],
    suggestedBy: {
      rank: 1,
      // Code hosts, git clone URLs, and self-hosted servers under these names.
      test: ({ hostname, pathname }) =>
        (CODE_HOSTS.has(hostname) && isDeep(pathname)) ||
        /\.git\/?$/.test(pathname) ||
        (/^(gitlab|gitea|forgejo)\./.test(hostname) && isDeep(pathname)),
    },
  },
  api: {
    ...site,
    title: 'API description',
    reading: 'reader',
    describesApi: true,
    gives: ['text', 'code', 'names', 'schemas'],
    suggestedBy: {
      rank: 3,
      test({ pathname }) {
        const file = pathname.slice(pathname.lastIndexOf('/') + 1)
        return /openapi|swagger|asyncapi/i.test(file) && /\.(json|ya?ml)$/i.test(file)
      },
    },
  },
  mcp: {
    ...site,
    title: 'MCP server',
    reading: 'reader',
    takesCredential: true,
    hasTools: true,
    gives: ['text', 'names', 'schemas'],
    suggestedBy: {
      rank: 4,
      // The second pattern matches the endpoints of any Docent.
      test: ({ hostname, pathname }) =>
        /\/mcp\/?$/.test(pathname) || /\/api\/mcp\/[^/]+\/?$/.test(pathname) || hostname.startsWith('mcp.'),
    },
  },
  pdf: {
    ...site,
    title: 'PDF',
    reading: 'reader',
    isWhole: true,
    gives: ['text', 'code', 'steps'],
    suggestedBy: { rank: 2, test: ({ pathname }) => /\.pdf$/i.test(pathname) },
  },
} as const satisfies Record<SourceType, SourceKind>

/** Kinds with their own reader. All others are crawled. */
export type ReaderType = {
  [Type in SourceType]: (typeof SOURCE_KINDS)[Type]['reading'] extends 'reader' ? Type : never
}[SourceType]

/** Returns the rules of a kind. */
export function sourceKind(type: SourceType): SourceKind {
  return SOURCE_KINDS[type]
}

/** Returns whether sources of this kind have their own reader. */
export function hasReader(type: SourceType): type is ReaderType {
  return SOURCE_KINDS[type].reading === 'reader'
}

const BY_RANK = SOURCE_TYPES.toSorted(
  (one, other) => SOURCE_KINDS[one].suggestedBy.rank - SOURCE_KINDS[other].suggestedBy.rank,
)

/** Guesses the kind from the address alone. */
export function suggestedType(address: URL): SourceType {
  return BY_RANK.find((type) => SOURCE_KINDS[type].suggestedBy.test(address)) ?? 'website'
}

/** A host's own pages are less deep than its repositories. */
function isDeep(pathname: string): boolean {
  return pathname.split('/').filter(Boolean).length >= 2
}
