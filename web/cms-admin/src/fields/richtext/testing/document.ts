import { createRequire } from 'node:module'
import { getSchema } from '@tiptap/core'
import { DOMParser, type Node } from '@tiptap/pm/model'
import { documentExtensions } from '../schema.ts'
import { toStoredHtml } from '../stored-html.ts'

// The DOM that turndown brings for Node
const domino: { createDocument: (html: string) => Document } = createRequire(
  createRequire(import.meta.url).resolve('turndown'),
)('@mixmark-io/domino')

export const page = domino.createDocument('')
const schema = getSchema(documentExtensions())

/** Parses stored HTML like the editor. */
export const parseStored = (html: string): Node => {
  const root = page.createElement('div')
  root.innerHTML = html
  return DOMParser.fromSchema(schema).parse(root)
}

/** The HTML that the editor would store for a document. */
export const store = (doc: Node): string => toStoredHtml(doc, page, ['video.example']) ?? ''
