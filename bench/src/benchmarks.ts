/** A benchmark: how to run it, and its description. */
export type Benchmark = {
  /** The npm script that runs it. Only `bench` takes the name, after `--`. */
  script: 'bench' | 'eval' | 'tune'
  /** Options that can follow its name. */
  options: string
  about: string
  load: () => Promise<{ run(args: string[]): Promise<Record<string, unknown> | void> }>
}

/** All programs by name. */
export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  index: {
    script: 'bench',
    options: '--site URL',
    about: 'what indexing a site costs, and refreshing it',
    load: () => import('#indexing/index-site.ts'),
  },
  search: {
    script: 'bench',
    options: '--site URL [--questions FILE] [--clients 1,8,32] [--seconds 10] [--warm 15] [--repeated]',
    about: 'what a search costs over HTTP',
    load: () => import('#load/search-load.ts'),
  },
  large: {
    script: 'bench',
    options: '[--passages 100000] [--clients 8] [--seconds 10] [--warm 15]',
    about: 'what a search, a list and a read of pages cost on one large server, whose pages are generated',
    load: () => import('#load/large-server.ts'),
  },
  threads: {
    script: 'bench',
    options: '[--servers 2] [--passages 200000] [--threads 2,16,64] [--seconds 20]',
    about: 'how often indexes of large servers are loaded, and their memory, by the number of threads',
    load: () => import('#load/threads.ts'),
  },
  cold: {
    script: 'bench',
    options: '[--passages 100000] [--runs 7] [--delay 30] [--realtime]',
    about: 'how long the first search of a large server takes, with its index and texts in a test bucket',
    load: () => import('#load/cold.ts'),
  },
  fleet: {
    script: 'bench',
    options: '[--servers 10000] [--pages 1000000] [--clients 8] [--seconds 20]',
    about: 'what many servers cost: start, lists, searches cold and warm, memory, idle time, and bytes by table',
    load: () => import('#load/fleet.ts'),
  },
  retrieve: {
    script: 'bench',
    options: '--pages DIR',
    about: 'what the search engine costs by itself, on a folder of HTML files',
    load: () => import('#parts/retrieve.ts'),
  },
  answer: {
    script: 'bench',
    options:
      '[--sets FOLDER [--only NAME,NAME]] [--pages FOLDER --questions FILE] [--related A:B[,A:B]] [--gold FOLDER] [--found FOLDER] [--details FILE]',
    about: 'what extractive answers are worth, on folders of evaluation sets',
    load: () => import('#answers/answer.ts'),
  },
  peers: {
    script: 'bench',
    options: '[--generated 300] [--rounds 5]',
    about: 'Docent beside what a team would assemble instead, on the same pages, questions and machine',
    load: () => import('#peers/compare-peers.ts'),
  },
  gate: {
    script: 'bench',
    options: '[--sets] [--misses] [--details FILE] [--record]',
    about: 'quality of search and answers on a frozen copy of these documents, against the recorded figures',
    load: () => import('#gate/gate.ts'),
  },
  ablate: {
    script: 'bench',
    options: '[--only TEXT]',
    about: 'which weights, thresholds and special cases of ranking and answers neither the gate nor a test needs',
    load: () => import('#ablate/ablate.ts'),
  },
  extract: {
    script: 'bench',
    options: '--pages DIR [--limit 600]',
    about: 'what reading a page costs',
    load: () => import('#parts/extract.ts'),
  },
  'extract-accuracy': {
    script: 'bench',
    options: '[--corpora FOLDER] [--site URL --markdown FOLDER] [--worst N]',
    about: 'how well pages are read',
    load: () => import('#parts/extract-accuracy.ts'),
  },
  repository: {
    script: 'bench',
    options: '--from FOLDER [--from FOLDER] [--files 5000]',
    about: 'what indexing a repository costs, and refreshing it',
    load: () => import('#indexing/repository.ts'),
  },
  render: {
    script: 'bench',
    options: '[--pages 100]',
    about: 'what pages cost that are empty without JavaScript',
    load: () => import('#parts/render.ts'),
  },
  embed: {
    script: 'bench',
    options: '[--model FOLDER] [--passages 100]',
    about: 'what a model of this machine costs',
    load: () => import('#parts/embed.ts'),
  },
  management: {
    script: 'bench',
    options: '[--servers 10000] [--reads 3000]',
    about: 'what the management interface costs with many servers',
    load: () => import('#management/management.ts'),
  },
  analytics: {
    script: 'bench',
    options: '[--calls 10000000] [--load 100000] [--database URL]',
    about: 'what reports of a year of calls and recording a call cost, its bytes, and whether all calls are counted',
    load: () => import('#management/analytics.ts'),
  },
  dispatch: {
    script: 'bench',
    options: '[--rounds 20000]',
    about: 'what answering MCP costs without the tools',
    load: () => import('#parts/dispatch.ts'),
  },
  dashboard: {
    script: 'bench',
    options: '--site URL [--servers N]',
    about: 'how fast the dashboard loads, follows a crawl, and how fast a widget answers, in Chromium',
    load: () => import('#dashboard/dashboard.ts'),
  },
  hostile: {
    script: 'bench',
    options: '--site URL [--traps FOLDER] [--only NAME,…]',
    about: 'what hostile sites cost others',
    load: () => import('#indexing/hostile.ts'),
  },
  soak: {
    script: 'bench',
    options: '[--minutes 30] [--rate 100]',
    about: 'whether memory and descriptors grow under load',
    load: () => import('#load/soak.ts'),
  },
  eval: {
    script: 'eval',
    options:
      '--set FOLDER [--run FILE] [--typos SEED], or --all FOLDER for each set in it, or --rules, or --tools [--sets FOLDER] [--only ID,…] [--details]',
    about:
      'how good the ranking is, on sets of questions with known answers; or the grammar of retrieval rules, or custom tools',
    load: () => import('#eval/eval.ts'),
  },
  tune: {
    script: 'tune',
    options: '--all FOLDER [--deep] [--minutes 10] [--half even|odd]',
    about: 'finds weights of the ranking',
    load: () => import('#eval/tune.ts'),
  },
}

/** The command of a program, without its options. */
export function commandOf(name: string, { script }: Benchmark): string {
  return script === 'bench' ? `npm run bench -- ${name}` : `npm run ${script}`
}

/** Usage of a program. Each takes `--out` besides its own options. */
export function usageOf(name: string, benchmark: Benchmark): string {
  const { about, options, script } = benchmark
  return `${commandOf(name, benchmark)}${script === 'bench' ? '' : ' --'} ${options} [--out FILE]\n${about[0]?.toUpperCase()}${about.slice(1)}. Prints its figures as JSON, and writes them to FILE.\n`
}

/** All programs, one per line. */
export function listOfAll(): string {
  const rows = Object.entries(BENCHMARKS).map(([name, each]) => [commandOf(name, each), each.about] as const)
  const width = Math.max(...rows.map(([command]) => command.length))
  const lines = rows.map(([command, about]) => `  ${command.padEnd(width)}  ${about}`)
  return `${lines.join('\n')}\nWith --help each says which options it takes.\n`
}
