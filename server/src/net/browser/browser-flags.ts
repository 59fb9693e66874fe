/**
 * A name that never resolves. All traffic we do not answer (WebSocket, WebTransport, nested workers, the browser's own
 * requests) goes to this proxy and fails before a packet leaves.
 */
const NOWHERE = 'nowhere.invalid:1'

/** JavaScript heap per page in megabytes. Documentation applications stay below 100. */
const HEAP_MB = 256

/** Browser features besides showing a page. All are disabled. */
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

/** Chromium's switches: headless, no network, no persistent data. */
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
    // Without this, loopback addresses bypass every proxy.
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
    // Containers have only 64 MB of shared memory.
    '--disable-dev-shm-usage',
    `--js-flags=--max-old-space-size=${HEAP_MB}`,
  ]
}
