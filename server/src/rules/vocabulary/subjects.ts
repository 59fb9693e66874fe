import type { BuiltInToolName } from '@docent/contract/values/tools'
import type { SourceType } from '@docent/contract/values/sources'

/** Names of kinds of source, in all languages. Lower case, without accents. */
export const KINDS: Readonly<Record<Exclude<SourceType, 'website'>, string>> = {
  docs: 'docs|documentation|doc|docs site|documentation site|manuals|dokumentation|doku|dokumentationen|documentacion|documentacao|documentazione|文档|官方文档|说明文档|文件|ドキュメント|公式ドキュメント|文書|handbook|product docs|developer docs',
  repo: 'repository|repositories|repo|repos|source code|codebase|code base|github repository|github repo|git repository|quellcode-repository|depot|depot de code|repositorio|repositorios|deposito|仓库|代码仓库|代码库|源代码|リポジトリ|レポジトリ|ソースコード',
  api: "api reference|api references|api description|api descriptions|api spec|api specification|api docs|api documentation|openapi|openapi description|openapi spec|openapi file|swagger|api|apis|api-referenz|api-dokumentation|reference de l' api|documentation de l' api|referencia de la api|referencia da api|riferimento api|api 文档|api 参考|接口文档|apiリファレンス|api リファレンス|api ドキュメント",
  pdf: 'pdf|pdfs|pdf file|pdf files|pdf document|pdf documents|pdf-datei|pdf-dateien',
  mcp: 'mcp server|mcp servers|remote server|remote servers|mcp source|mcp sources',
}

/** Path globs of common parts of sites and repositories, by their names in all languages. `key` also names sources. */
export const PARTS: readonly { key: string; glob: string; names: string }[] = [
  {
    key: 'blog',
    glob: '*/blog/*',
    names:
      'blog|blogs|blog post|blog posts|blog article|blog articles|blog entries|blog pages|blogbeitrag|blogbeitrage|blogbeitragen|blogposts|blogeintrage|blogartikel|blogartikeln|articles de blog|article de blog|articles du blog|billets de blog|entradas del blog|entradas de blog|articulos del blog|articulos de blog|publicaciones del blog|posts do blog|artigos do blog|postagens do blog|posts de blog|articoli del blog|post del blog|articoli di blog|博客|博客文章|博文|部落格|ブログ|ブログ記事|ブログの記事|ブログ投稿',
  },
  {
    key: 'changelog',
    glob: '*changelog*',
    names:
      'changelog|changelogs|change log|change logs|changelog pages|anderungsprotokoll|anderungsprotokolle|journal des modifications|registro de cambios|historial de cambios|registro de alteracoes|registro delle modifiche|更新日志|变更日志|修改日志|変更履歴|更新履歴',
  },
  {
    key: 'release',
    glob: '*release*',
    names:
      'release notes|release note|releases|release pages|release announcements|versionshinweise|versionshinweisen|releasenotes|notes de version|notes de publication|notes de versions|notas de la version|notas de version|notas de lanzamiento|notas de versao|notas da versao|notas de lancamento|note di rilascio|note di versione|发布说明|发行说明|版本说明|发布日志|リリースノート',
  },
  {
    key: 'tutorial',
    glob: '*tutorial*',
    names: 'tutorial|tutorials|tutorial pages|tutorien|tutoriels|tutoriel|tutoriales|tutoriais|教程|チュートリアル',
  },
  {
    key: 'guide',
    glob: '*guide*',
    names:
      'guide|guides|user guide|user guides|how-to guides|narrative docs|anleitungen|anleitung|leitfaden|guias|guia|guida|指南|ガイド',
  },
  { key: 'how-to', glob: '*how-to*', names: 'how-to|how-tos|how to|how-to pages|howtos' },
  {
    key: 'faq',
    glob: '*faq*',
    names:
      'faq|faqs|frequently asked questions|常见问题|よくある質問|preguntas frecuentes|perguntas frequentes|domande frequenti|haufige fragen|foire aux questions',
  },
  {
    key: 'issues',
    glob: '*/issues/*',
    names:
      'issues|issue|github issues|github issue|gitlab issues|issue tracker|bug reports|bug report|issue threads|issue 列表|イシュー',
  },
  { key: 'pull', glob: '*/pull/*', names: 'pull requests|pull request|prs|merge requests' },
  { key: 'discussions', glob: '*/discussions/*', names: 'discussions|github discussions|discussion threads' },
  {
    key: 'forum',
    glob: '*forum*',
    names: 'forum|forums|forum posts|forum threads|community posts|community forum|foro|foros|foren|论坛|フォーラム',
  },
  {
    key: 'news',
    glob: '*/news/*',
    names:
      'news|news pages|news posts|press releases|neuigkeiten|nachrichten|noticias|noticia|notizie|actualites|新闻|ニュース',
  },
  {
    key: 'announcements',
    glob: '*announce*',
    names: 'announcements|announcement|announcement posts|ankundigungen|annonces|anuncios|annunci|公告|お知らせ',
  },
  {
    key: 'reference',
    glob: '*reference*',
    names:
      'reference|references|reference pages|reference docs|reference documentation|reference manual|referenz|referenzen|referencia|referencias|riferimento|参考文档|参考手册|リファレンス',
  },
  {
    key: 'deprecated',
    glob: '*deprecated*',
    names: 'deprecated|deprecated pages|deprecated docs|deprecated content|deprecations',
  },
  { key: 'legacy', glob: '*legacy*', names: 'legacy|legacy pages|legacy docs|legacy documentation|legacy content' },
  {
    key: 'archive',
    glob: '*archive*',
    names:
      'archive|archives|archived|archived pages|archived docs|archived content|archiv|archivierte seiten|archivierte|archivado|archivados|archivadas|archivo|arquivo|arquivados|arquivadas|archivio|存档|归档|アーカイブ',
  },
  {
    key: 'examples',
    glob: '*example*',
    names: 'examples folder|examples directory|example pages|examples section|example projects|example apps',
  },
  {
    key: 'test',
    glob: '*test*',
    names: 'test files|test code|tests|unit tests|test cases|test suites|测试文件|テスト',
  },
  {
    key: 'vendor',
    glob: '*/vendor/*',
    names: 'vendored code|vendor code|vendored docs|vendored documentation|third-party code',
  },
  {
    key: 'generated',
    glob: '*generated*',
    names:
      'generated files|generated code|generated pages|generated docs|auto-generated pages|autogenerated pages|auto-generated docs|auto-generated content',
  },
  {
    key: 'migration',
    glob: '*migrat*',
    names:
      'migration guide|migration guides|upgrade guide|upgrade guides|migration pages|migration docs|migrationsleitfaden|guia de migracion|guias de migracion|guide de migration|guides de migration|guia de migracao|guida alla migrazione|迁移指南|移行ガイド',
  },
  { key: 'glossary', glob: '*glossary*', names: 'glossary|glossar|glosario|glossario|glossaire|术语表|用語集' },
  {
    key: 'quickstart',
    glob: '*quickstart*',
    names:
      'quickstart|quickstarts|quick start|quickstart guide|quick start guide|quickstart pages|快速入门|クイックスタート',
  },
  {
    key: 'getting-started',
    glob: '*getting-started*',
    names:
      'getting started|getting started guide|getting started guides|getting-started|getting started pages|erste schritte|primeros pasos|primeiros passos',
  },
  { key: 'readme', glob: '*readme*', names: 'readme|readmes|readme files|readme file' },
  { key: 'roadmap', glob: '*roadmap*', names: 'roadmap|roadmaps|roadmap pages' },
  { key: 'pricing', glob: '*pricing*', names: 'pricing|pricing pages|pricing page|preise|precios|precos|prezzi|价格' },
  { key: 'marketing', glob: '*marketing*', names: 'marketing|marketing pages|marketing content|marketing material' },
  {
    key: 'troubleshooting',
    glob: '*troubleshoot*',
    names:
      'troubleshooting|troubleshooting guide|troubleshooting guides|troubleshooting pages|fehlerbehebung|depannage|solucion de problemas|solucao de problemas|故障排除|トラブルシューティング',
  },
  { key: 'cookbook', glob: '*cookbook*', names: 'cookbook|cookbooks|recipes' },
  { key: 'legal', glob: '*legal*', names: 'legal pages|legal section|legal notices|terms of service|privacy policy' },
]

/** Calls of tools, as people name them. */
export const TOOL_CALLS: readonly { tool: BuiltInToolName; names: string }[] = [
  {
    tool: 'get_code_examples',
    names:
      'code example searches|code example search|code example requests|code searches|code search|searches for code|searches for code examples|searches for examples|code example queries|example searches|code examples are requested|code examples are requested|code examples are wanted|requests for code|requests for code examples|requests for examples|code questions',
  },
  {
    tool: 'find_api_reference',
    names:
      'api reference lookups|api lookups|api reference searches|api look-ups|reference lookups|symbol lookups|reference look-ups',
  },
  { tool: 'get_changelog', names: 'changelog lookups|changelog requests|changelog searches' },
  { tool: 'search_issues', names: 'issue searches|issue search|searches for issues' },
  { tool: 'get_quickstart', names: 'quickstart requests|quickstart searches' },
  { tool: 'extract_schema', names: 'schema lookups|schema requests|schema searches' },
]

/** Natural languages by their ISO 639-1 code. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  en: 'english|englisch|englischer|anglais|ingles|inglese|英文|英语|英語',
  de: 'german|deutsch|deutscher|allemand|aleman|alemao|tedesco|德文|德语|ドイツ語',
  fr: 'french|franzosisch|francais|frances|francese|法文|法语|フランス語',
  es: 'spanish|spanisch|espagnol|espanol|espanhol|spagnolo|西班牙语|スペイン語',
  pt: 'portuguese|portugiesisch|portugais|portugues|portoghese|葡萄牙语|ポルトガル語',
  it: 'italian|italienisch|italien|italiano|意大利语|イタリア語',
  nl: 'dutch|niederlandisch|neerlandais|neerlandes|holandes|olandese|荷兰语|オランダ語',
  ru: 'russian|russisch|russe|ruso|russo|俄文|俄语|ロシア語',
  zh: 'chinese|chinesisch|chinois|chino|chines|cinese|中文|汉语|中国語',
  ja: 'japanese|japanisch|japonais|japones|giapponese|日文|日语|日本語',
  ko: 'korean|koreanisch|coreen|coreano|韩文|韩语|韓国語',
  ar: 'arabic|arabisch|arabe|arabo|阿拉伯语|アラビア語',
  pl: 'polish|polnisch|polonais|polaco|polones|polacco|波兰语',
  tr: 'turkish|turkisch|turc|turco|土耳其语',
}

/** Programming languages and formats, by the name that code blocks carry. `alone` names need no noun after them. */
export const CODE_LANGUAGES: Readonly<Record<string, string>> = {
  python: 'python|python3|py',
  javascript: 'javascript|js|node.js|nodejs|node',
  typescript: 'typescript|ts',
  java: 'java',
  kotlin: 'kotlin',
  go: 'golang',
  rust: 'rust',
  ruby: 'ruby',
  php: 'php',
  csharp: 'c#|csharp|.net|dotnet',
  cpp: 'c++|cpp',
  swift: 'swift',
  scala: 'scala',
  elixir: 'elixir',
  dart: 'dart',
  lua: 'lua',
  perl: 'perl',
  bash: 'bash|shell|shell script|shell scripts|curl|console',
  powershell: 'powershell',
  sql: 'sql',
  yaml: 'yaml|yml',
  html: 'html',
  css: 'css',
  graphql: 'graphql',
  haskell: 'haskell',
  clojure: 'clojure',
}
/** Names of languages that are also plain words: only with a noun such as `examples` after them. */
export const CODE_LANGUAGES_WITH_NOUN: Readonly<Record<string, string>> = { go: 'go', c: 'c', r: 'r', json: 'json' }

/** Numbers as words. */
export const NUMBERS: readonly string[] = [
  '',
  'one|a|single|ein|eine|einen|un|une|uno|una|um|uma|一',
  'two|a couple|couple|zwei|deux|dos|dois|duas|due|两|二|2つ',
  'three|drei|trois|tres|tre|三',
  'four|vier|quatre|cuatro|quatro|quattro|四',
  'five|funf|cinq|cinco|cinque|五',
  'six|sechs|seis|sei|六',
  'seven|sieben|sept|siete|sete|sette|七',
  'eight|acht|huit|ocho|oito|otto|八',
  'nine|neun|neuf|nueve|nove|九',
  'ten|zehn|dix|diez|dez|dieci|十',
  'eleven',
  'twelve|zwolf|douze|doce|doze|dodici|十二',
]

/** Days of a unit of time. */
export const PERIODS: readonly { days: number; names: string }[] = [
  { days: 1, names: 'day|days|tag|tage|tagen|jour|jours|dia|dias|giorno|giorni|天|日|日間' },
  { days: 7, names: 'week|weeks|woche|wochen|semaine|semaines|semana|semanas|settimana|settimane|周|星期|个星期|週間' },
  { days: 30, names: 'month|months|monat|monate|monaten|mois|mes|meses|mese|mesi|个月|月|ヶ月|か月' },
  { days: 91, names: 'quarter|quarters' },
  { days: 365, names: 'year|years|jahr|jahre|jahren|an|ans|annee|annees|ano|anos|anno|anni|年|年間' },
]
