import type { ReaderType } from '@docent/contract/values/source-kinds'
import type { Deps as RemoteMcpDeps } from './remote-mcp.ts'
import type { RepositoryOptions } from './repository/repository.ts'
import type { SourceReader } from './source-document.ts'
import type { Uploads } from './upload.ts'

type Deps = Pick<RepositoryOptions, 'githubApiUrl' | 'tokenFor'> & RemoteMcpDeps & { uploads: Uploads }

/** Readers of non-site sources, loaded on first use: their libraries would slow the start and take memory. */
export function createReaders({ uploads, ...deps }: Deps) {
  return {
    api: lazily(async () => (await import('./api-description.ts')).readApiDescription),
    pdf: lazily(async () => (await import('./pdf.ts')).readPdfSource),
    repo: lazily(async () => (await import('./repository/repository.ts')).createRepositoryReader(deps)),
    mcp: lazily(async () => (await import('./remote-mcp.ts')).createRemoteMcpReader(deps)),
    upload: lazily(async () => (await import('./upload.ts')).createUploadReader(uploads)),
  } satisfies Record<ReaderType | 'upload', SourceReader>
}

function lazily(load: () => Promise<SourceReader>): SourceReader {
  return async function* (...given) {
    const read = await load()
    yield* read(...given)
  }
}
