import { parseAddress } from '../addresses.ts'
import { hasTag, tagConstants, tagText, text } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { currentPart, isInLoop, setCurrentPart } from '../current-part.ts'
import { defineExtension } from '../define.ts'
import {
  type EditedLine,
  editBody,
  headerLines,
  newLine,
  partOfText,
  replacePart,
  setHeaderLines,
} from '../edit-message.ts'
import { quoted } from '../problems.ts'
import type { Run } from '../run-state.ts'

/** RFC 5703 §5: other text in place of the current part, or of the whole message outside a loop. */
export const replace = defineExtension({
  name: 'replace',
  commands: {
    replace: {
      positional: ['string'],
      tags: {
        mime: {},
        subject: { value: 'string' },
        from: { value: 'string', check: (call) => addressProblem(tagConstants(call, 'from')) },
      },
      run: (call, run) => {
        replaceCurrent(call, run)
        return undefined
      },
    },
  },
})

const replaceCurrent = (call: Call, run: Run): void => {
  const { path } = currentPart(run)
  const isMime = hasTag(call, 'mime')
  const source = text(call, 0, run)
  const part = partOfText(source, isMime)
  const edit = {
    kind: 'replace',
    path,
    text: source,
    mime: isMime,
    subject: tagText(call, 'subject', run),
    from: tagText(call, 'from', run),
  } as const
  // The header of the message stays; only what says how its content is written changes.
  if (path.length === 0)
    setHeaderLines(run, [...withoutContent(run), ...part.headers.map(({ name, decoded }) => newLine(name, decoded))])
  editBody(run, edit, replacePart(run.chain.message.root, path, part))
  if (isInLoop(run)) setCurrentPart(run, part)
}

const withoutContent = (run: Run): EditedLine[] =>
  headerLines(run).filter(({ header }) => !/^content-/i.test(header.name))

const addressProblem = (addresses: readonly string[]): string | null => {
  const wrong = addresses.find((address) => !parseAddress(address))
  return wrong === undefined ? null : `${quoted(wrong)} isn't an address`
}
