/**
 * A name that no look-up finds. Everything that is not answered by us (WebSocket, WebTransport, workers of workers,
 * the browser's own errands) is sent through this proxy, and so ends before a packet leaves.
 */
const NOWHERE = 'nowhere.invalid:1'

/** Megabytes of JavaScript heap for a page. Applications for reading documentation stay below 100. */
const HEAP_MB = 256

/** What a browser does beside showing a page: none of it. */
const OFF = [
  'AsyncDns',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DnsOverHttps',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'OptimizationHints',
  'PreconnectToSearch',
  'Prerender2',
  'SpeculationRules',
  'Translate',
  'WebTransport',
]

type Launch = { profile: string; userAgent: string; sandbox: boolean }

/** The switches that Chromium is started with: no window, no network of its own, and nothing kept. */
export function browserFlags({ profile, userAgent, sandbox }: Launch): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    '--no-startup-window',
    `--user-data-dir=${profile}`,
    `--disk-cache-dir=${profile}/cache`,
    `--user-agent=${userAgent}`,
    ...(sandbox ? [] : ['--no-sandbox']),

    `--proxy-server=${NOWHERE}`,
    // Loopback addresses bypass every proxy unless this is said.
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--dns-prefetch-disable',
    '--disable-quic',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-sync',
    '--no-pings',
    `--disable-features=${OFF.join(',')}`,

    '--blink-settings=imagesEnabled=false',
    '--disable-remote-fonts',
    '--disable-gpu',
    '--disable-3d-apis',
    '--disable-extensions',
    '--disable-default-apps',
    '--disable-notifications',
    '--disable-speech-api',
    '--disable-file-system',
    '--disable-print-preview',
    '--block-new-web-contents',
    '--mute-audio',
    '--password-store=basic',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--no-first-run',
    '--no-default-browser-check',
    // Containers have 64 MB of shared memory.
    '--disable-dev-shm-usage',
    `--js-flags=--max-old-space-size=${HEAP_MB}`,
  ]
}
