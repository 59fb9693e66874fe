/** Used commands of Chromium's debugging protocol, with the parts of their responses that we read. */
type Answers = {
  'Browser.close': object
  'Browser.getVersion': object
  'Browser.setDownloadBehavior': object
  'Fetch.enable': object
  'Fetch.failRequest': object
  'Fetch.fulfillRequest': object
  'Inspector.enable': object
  'Page.createIsolatedWorld': { executionContextId: number }
  'Page.enable': object
  'Page.handleJavaScriptDialog': object
  'Page.navigate': { errorText?: string }
  'Runtime.evaluate': { result: { value?: unknown }; exceptionDetails?: object }
  'Storage.clearCookies': object
  'Storage.clearDataForOrigin': object
  'Target.attachToTarget': { sessionId: string }
  'Target.createBrowserContext': { browserContextId: string }
  'Target.createTarget': { targetId: string }
  'Target.disposeBrowserContext': object
}

export type Command = keyof Answers

/** Sends a command. Throws `BrowserError` if the browser refuses it or is gone. */
export type Send = <C extends Command>(command: C, params?: object) => Promise<Answers[C]>
