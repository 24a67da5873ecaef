import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/**
 * Markdown as HTML to look at: CommonMark with tables, strikethrough, task lists and footnotes; HTML in the source is
 * shown as text. It goes through the policy of rich text, so that nothing active is left. Links open beside the editor,
 * and files of the library come from this service.
 */
export const renderMarkdown = (source: string): string => {
  const html = micromark(source, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
  return (cleanHtml(withTaskSigns(html)) ?? '')
    .replaceAll('<a href="', '<a target="_blank" rel="noreferrer" href="')
    .replace(OWN_FILE, '<img src="$1')
}

const OWN_FILE = /<img src="https?:\/\/[^/"]+(\/media\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/)/g

/** The policy has no inputs: a task shows a sign instead. */
const withTaskSigns = (html: string): string =>
  html.replace(/<input type="checkbox"[^>]*>/g, (input) => (input.includes('checked=""') ? '☑' : '☐'))
