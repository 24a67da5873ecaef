declare module 'turndown' {
  type Options = {
    headingStyle?: 'setext' | 'atx'
    hr?: string
    bulletListMarker?: '-' | '+' | '*'
    codeBlockStyle?: 'indented' | 'fenced'
    emDelimiter?: '_' | '*'
  }
  type Rule = {
    filter: string[]
    replacement: (content: string, node: HTMLElement) => string
  }
  class TurndownService {
    constructor(options?: Options)
    turndown(html: string): string
    addRule(key: string, rule: Rule): this
  }

  // biome-ignore lint/style/noDefaultExport: that is how the package exports it
  export { TurndownService as default }
}
