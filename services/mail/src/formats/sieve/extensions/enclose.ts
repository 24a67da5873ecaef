import { tagText, tagTexts, text } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { defineExtension } from '../define.ts'
import { editBody, headerLines, newLine, partOfText, setHeaderLines } from '../edit-message.ts'
import type { SievePart } from '../message.ts'
import type { Run } from '../run-state.ts'

/** RFC 5703 §6: a text with the whole message attached to it. */
export const enclose = defineExtension({
  name: 'enclose',
  commands: {
    enclose: {
      positional: ['string'],
      tags: { subject: { value: 'string' }, headers: { value: 'strings' } },
      run: (call, run) => {
        encloseMessage(call, run)
        return undefined
      },
    },
  },
})

const encloseMessage = (call: Call, run: Run): void => {
  const subject = tagText(call, 'subject', run)
  const headers = tagTexts(call, 'headers', run)
  const source = text(call, 0, run)
  const { edits, message } = run.chain
  const kept = headerLines(run).filter(({ header }) => !isReplaced(header.name, subject))
  const title = subject === null ? [] : [newLine('Subject', subject)]
  setHeaderLines(run, [...kept, ...title, newLine('Content-Type', 'multipart/mixed')])
  const edit = { kind: 'enclose', subject, headers, text: source, message: edits } as const
  editBody(run, edit, enclosed(message.root, source))
}

const isReplaced = (name: string, subject: string | null): boolean =>
  /^content-/i.test(name) || (subject !== null && /^subject$/i.test(name))

const enclosed = (root: SievePart, source: string): SievePart => {
  const inner: SievePart = { ...root, headers: [], type: 'message', subtype: 'rfc822', parts: [root] }
  const parts = [partOfText(source, false), inner]
  return { ...root, type: 'multipart', subtype: 'mixed', parts, text: () => '' }
}
