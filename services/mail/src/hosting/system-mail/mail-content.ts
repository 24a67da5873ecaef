import { escapeXml } from '@stoa/kit/xml-write.ts'

/** What a template says, before it has a form. Every text is one paragraph; nothing in it is read as HTML. */
export type MailContent = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** One thing to do: a button in HTML, an address on a line of its own in text. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Facts, one on a line. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  /** A list of things, each with its address. */
  readonly items?: readonly Item[]
  /** Small print below the text. */
  readonly footnote?: string
}

type Item = { readonly title: string; readonly detail: string; readonly url: string }

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** `17 November 2026`, in UTC. */
export const dayOf = (moment: Date): string => DAY.format(moment)

/** How long lines of plain text get before they are wrapped; addresses are never broken. */
const LINE_CHARACTERS = 76

/** For readers without HTML. */
export const renderText = (
  { paragraphs, action, facts = [], items = [], footnote }: MailContent,
  signature: string,
): string =>
  [
    ...paragraphs.map(wrap),
    ...items.map(({ title, detail, url }) => `${title}\n${detail}\n${url}`),
    ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(footnote ? [wrap(footnote)] : []),
    `-- \n${signature}`,
  ].join('\n\n')

/** Renders an HTML page that loads nothing: no image, no style sheet, no script. */
export const renderHtml = (
  { subject, paragraphs, action, facts = [], items = [], footnote }: MailContent,
  signature: string,
): string =>
  [
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeXml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#f5f5f4;color:#1c1917;font:16px/1.5 system-ui,sans-serif">`,
    `<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">`,
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeXml(subject)}</h1>`,
    ...paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeXml(text)}</p>`),
    ...items.map(listItem),
    ...factTable(facts),
    ...(action ? [button(action)] : []),
    ...(footnote ? [`<p style="margin:0 0 16px;color:#57534e;font-size:14px">${escapeXml(footnote)}</p>`] : []),
    `<p style="margin:24px 0 0;color:#57534e;font-size:14px">${escapeXml(signature)}</p>`,
    '</div></body></html>',
  ].join('\n')

const listItem = ({ title, detail, url }: Item): string =>
  `<p style="margin:0 0 12px"><a href="${escapeXml(url)}" style="color:#1c1917">${escapeXml(title)}</a><br>` +
  `<span style="color:#57534e;font-size:14px">${escapeXml(detail)}</span></p>`

const factTable = (facts: readonly (readonly [string, string])[]): string[] => {
  if (facts.length === 0) return []
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#57534e">${escapeXml(name)}</td><td>${escapeXml(value)}</td></tr>`,
  )
  return [`<table role="presentation" style="margin:0 0 16px;border-spacing:0">${rows.join('')}</table>`]
}

const button = ({ label, url }: { label: string; url: string }): string =>
  `<p style="margin:0 0 16px"><a href="${escapeXml(url)}" style="display:inline-block;padding:10px 20px;` +
  `background:#1c1917;color:#ffffff;text-decoration:none;border-radius:6px">${escapeXml(label)}</a></p>` +
  `<p style="margin:0 0 16px;font-size:14px;word-break:break-all">${escapeXml(url)}</p>`

const wrap = (text: string): string => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= LINE_CHARACTERS) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}
