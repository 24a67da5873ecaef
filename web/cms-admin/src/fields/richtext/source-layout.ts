/** Stored HTML with each block on a line of its own, to be read by people. What is inside `pre` stays as it is. */
export const layOutHtml = (html: string): string =>
  html
    .split(/(<pre[\s>][\s\S]*?<\/pre>)/)
    .map((part) => (part.startsWith('<pre') ? `\n${part}\n` : breakBlocks(part)))
    .join('')
    .replace(/\n{2,}(?=<)/g, '\n')
    .trim()

const OPENING =
  /<(?:p|h[2-4]|ul|ol|li|blockquote|hr|figure|figcaption|table|caption|thead|tbody|tr|td|th|details|summary|iframe|video|audio)[\s>]/g
const CLOSING = /<\/(?:ul|ol|blockquote|figure|table|thead|tbody|tr|details)>/g

const breakBlocks = (html: string): string =>
  html.replace(OPENING, (tag) => `\n${tag}`).replace(CLOSING, (tag) => `\n${tag}`)
