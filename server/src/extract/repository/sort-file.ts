import { codeLanguageOf } from './code-languages.ts'
import kinds from './file-kinds.json' with { type: 'json' }
import { isSchemaEnding } from './schema-document.ts'
import { type FileKind, type FileOmissionReason, isGraphql } from './repository-file.ts'

/** Decision about a file by path and size alone, before it is read. */
export type Sorted<Kind = FileKind> =
  | { kind: Kind }
  /** `folder` is set if everything beneath it is omitted for the same reason, `most` (bytes) if the file is too large. */
  | { omit: FileOmissionReason; folder: string | null; most?: number }

/** Folders with third-party or generated files. */
const VENDORED = /^(node_modules|bower_components|jspm_packages|Pods|Carthage|site-packages|\.?venv|\.yarn)$/i
/** Third-party folders among code. In a documentation tree these names are topics. */
const VENDORED_CODE = /^(vendors?|third[-_]?party)$/i
const DOCUMENTATION = /^(docs?|documentation|manual|guides?|handbook|wiki|content)$/i
const GENERATED_FOLDERS = /^(dist|__snapshots__|__pycache__|\.next|\.nuxt)$/
/** Kinds that are omitted in test folders. Prose is read there, too. */
const TESTABLE: ReadonlySet<string> = new Set(['code', 'schema', 'api', 'docx', 'pptx', 'xlsx', 'odt', 'epub'])
const TEST_FOLDERS = /^(tests?|__tests__|__mocks__|specs?|testdata|fixtures|e2e)$/i
const TEST_FILES = /(\.(test|spec)\.\w+|_(test|spec)\.\w+|(^|\/)(test_|conftest)[\w-]*\.py|Tests?\.(java|cs|php))$/

const GENERATED_FILES =
  /(\.pb\.(go|cc|h)|_pb2(_grpc)?\.pyi?|\.g\.(cs|dart)|\.designer\.cs|[._-]generated\.\w+|\.gen\.\w+|(^|\/)(package-lock\.json|pnpm-lock\.yaml|go\.sum)|\.lock)$/i
const PAGE_SOURCES = /\.\w+\.txt$/i
const MINIFIED_FILES = /[.-]min\.(js|css|mjs)$|\.map$/i
const BINARY_FILES =
  /\.(png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|svgz?|woff2?|ttf|otf|eot|mp[34]|m4a|ogg|wav|webm|mov|avi|zip|t?gz|bz2|xz|zst|7z|rar|jar|war|class|so|dll|dylib|exe|o|a|lib|wasm|node|pyc|pdf|do[ct]m?|xls[bm]?|pp[st]m?|sqlite|db|bin|dat|pack|idx|parquet|npy|pkl|onnx|pt|h5|gpg|der|p12|keystore)$/i

const LICENCE = /^(licen[cs]e|copying|unlicense)([.-][\w.-]+)?$/i
/** Plain text files for readers, conventionally in capitals, with or without extension. */
const NAMED_TEXTS =
  /^(readme|changelog|changes|history|news|authors|contributing|install|upgrading|todo|faq|notice)(\.txt)?$/i

/** A manual page by its section: `tar.1`, `open.3p`. Libraries end like it: `libz.so.1`. */
const MANUAL_PAGE = /(?<!\.so)(?<!\.\d{1,4})\.(?:[1-9][a-z]{0,4}|man|mdoc|roff|troff)$/i

const DOCUMENTS: Readonly<Record<string, string>> = kinds.endings
/** Maximum file size in bytes by kind. Notebooks contain pictures; a larger code file is not handwritten. */
const MOST_BYTES: Readonly<Record<FileKind, number>> = kinds.mostBytes

/** True for Sphinx's copy of the source of a page: `_sources/index.rst.txt`. */
export const isPageSource = (path: string): boolean => path.split('/').includes('_sources') && PAGE_SOURCES.test(path)

/** Returns true if the name is that of a third-party folder among code. */
export const isVendorFolder = (name: string): boolean => VENDORED_CODE.test(name)

/** Decides about a file. Reads `.txt` only in documentation folders, unless the name marks a text for readers. */
export function sortFile(path: string, size: number): Sorted {
  const parts = path.split('/')
  const name = parts.at(-1) ?? path
  const whole = wholeFolder(parts)
  if (whole) return whole
  if (BINARY_FILES.test(name)) return { omit: 'binary', folder: null }
  if (MINIFIED_FILES.test(name)) return { omit: 'minified', folder: null }
  if (isPageSource(path) || GENERATED_FILES.test(path)) return { omit: 'generated', folder: null }
  const kind = kindOf(parts, name)
  if (isVendoredAmongDocuments(parts, kind)) return { omit: 'vendored', folder: null }
  if (kind === null) return { omit: 'not_documentation', folder: null }
  if (TESTABLE.has(kind) && isTest(parts, path, kind)) return { omit: 'test', folder: null }
  const most = isGraphql(name) ? MOST_BYTES.api : MOST_BYTES[kind]
  return size > most ? { omit: 'too_large', folder: null, most } : { kind }
}

function wholeFolder(parts: string[]): Sorted | null {
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const folder = () => parts.slice(0, index + 1).join('/')
    const isDocumentation = parts.slice(0, index).some((above) => DOCUMENTATION.test(above))
    if (VENDORED.test(part) || (VENDORED_CODE.test(part) && !isDocumentation))
      return { omit: 'vendored', folder: folder() }
    if (GENERATED_FOLDERS.test(part)) return { omit: 'generated', folder: folder() }
    // Tool settings and form templates. Read the contributor notes directly in `.github`.
    if (part.startsWith('.') && (part !== '.github' || parts.length > index + 2)) {
      return { omit: 'not_documentation', folder: folder() }
    }
  }
  return null
}

/** Reads only prose from third-party folders in a documentation tree, not scripts and styles. */
function isVendoredAmongDocuments(parts: string[], kind: FileKind | null): boolean {
  const isWritten = kind !== null && kind !== 'code' && kind !== 'schema' && kind !== 'api'
  return !isWritten && parts.slice(0, -1).some((part) => VENDORED_CODE.test(part))
}

function kindOf(parts: string[], name: string): FileKind | null {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (LICENCE.test(name) && codeLanguageOf(name) === null) return 'licence'
  const document = DOCUMENTS[ending]
  if (document) return document as FileKind
  if (codeLanguageOf(name) !== null) return 'code'
  if (MANUAL_PAGE.test(name)) return 'roff'
  if (isSchemaEnding(ending)) return 'schema'
  if (/^(json|ya?ml)$/.test(ending)) return 'api'
  if (NAMED_TEXTS.test(name)) return 'text'
  return ending === 'txt' && parts.some((part) => DOCUMENTATION.test(part)) ? 'text' : null
}

/** A folder named `specs` can hold API descriptions, so it does not mark them as tests. */
function isTest(parts: string[], path: string, kind: FileKind): boolean {
  if (kind === 'api') return parts.slice(0, -1).some((part) => TEST_FOLDERS.test(part) && !/^spec/i.test(part))
  return TEST_FILES.test(path) || parts.slice(0, -1).some((part) => TEST_FOLDERS.test(part))
}
