import { filingInto, type NotifyAction } from '../action-types.ts'
import { parseAddress } from '../addresses.ts'
import { constants, keys, tagConstants, tagText, tagTexts, text, texts } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { type CheckScope, defineExtension, type TagDefinition } from '../define.ts'
import { parseMailto } from '../mailto.ts'
import { matchValues } from '../match/match.ts'
import { quoted, SieveRuntimeError } from '../problems.ts'
import { addAction } from '../result.ts'
import type { Run } from '../run-state.ts'

/** RFC 5435 §6: everything but unreserved characters of a URI, octet by octet. */
const encodeUrl: TagDefinition = {
  oneOf: 'modifier 15',
  modifier: {
    rank: 15,
    modify: (value) =>
      encodeURIComponent(value.toWellFormed()).replace(
        /[!'()*]/g,
        (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
  },
}

/** What a script that asks which methods there are writes down for the commands after it. */
const ASKED = 'valid_notify_method'

/** RFC 5435, with the method of RFC 5436. */
export const enotify = defineExtension({
  name: 'enotify',
  commands: {
    notify: {
      positional: ['string'],
      tags: {
        from: { value: 'string', check: (call) => fromProblem(tagConstants(call, 'from')) },
        importance: { value: 'string', check: (call) => importanceProblem(tagConstants(call, 'importance')) },
        options: { value: 'strings', check: (call) => optionsProblem(tagConstants(call, 'options')) },
        message: { value: 'string' },
      },
      check: (call, scope) => methodProblem(constants(call, 0), scope),
      run: (call, run) => {
        addAction(notifyOf(call, run), call, run)
        return undefined
      },
    },
  },
  tests: {
    valid_notify_method: {
      positional: ['strings'],
      check: (_call, { notes }) => {
        notes.add(ASKED)
        return null
      },
      test: (call, run) => texts(call, 0, run).every(isValid),
    },
    notify_method_capability: {
      positional: ['string', 'string', 'strings'],
      matches: true,
      test: (call, run) => {
        // RFC 5435 §5: what is unknown is false. RFC 5436 §2.2: whether a person reads mail now is unknown.
        const isKnown = isValid(text(call, 0, run)) && text(call, 1, run).toLowerCase() === 'online'
        return isKnown && matchValues(call, ['maybe'], keys(call, run), run)
      },
    },
  },
  tags: { set: { encodeurl: encodeUrl }, extracttext: { encodeurl: encodeUrl } },
})

const isValid = (method: string): boolean => parseMailto(method) !== null

const notifyOf = (call: Call, run: Run): NotifyAction => {
  const method = text(call, 0, run)
  if (!isValid(method)) throw new SieveRuntimeError(`${quoted(method)} isn't a supported notification method`)
  const importance = tagText(call, 'importance', run)
  const fcc = tagText(call, 'fcc', run)
  return {
    kind: 'notify',
    method,
    message: tagText(call, 'message', run),
    from: tagText(call, 'from', run),
    importance: importance === '1' ? 1 : importance === '3' ? 3 : 2,
    options: tagTexts(call, 'options', run),
    fcc: fcc === null ? null : filingInto(fcc),
  }
}

/** RFC 5435 §3.2. A script that asks for the methods that there are may also know others. */
const methodProblem = (methods: readonly string[], { notes }: CheckScope): string | null => {
  for (const method of methods) {
    if (!/^[a-z][a-z0-9+.-]*:[^\s<>"]+$/i.test(method)) return `${quoted(method)} isn't a URI like "${EXAMPLE}"`
    if (/^mailto:/i.test(method)) {
      if (!isValid(method)) return `${quoted(method)} is invalid; use a form like "${EXAMPLE}"`
    } else if (!notes.has(ASKED)) return `${quoted(method)} isn't a supported notification method; use "mailto:"`
  }
  return null
}

const EXAMPLE = 'mailto:name@example.com?subject=New%20mail'

/** RFC 5435 §3.5. */
const optionsProblem = (options: readonly string[]): string | null => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break or NUL is what must not be there.
  const wrong = options.find((option) => !/^[A-Za-z0-9][A-Za-z0-9._-]*=[^\x00\r\n]*$/.test(option))
  return wrong === undefined ? null : `${quoted(wrong)} isn't an option like "name=value"`
}

const importanceProblem = (values: readonly string[]): string | null =>
  values.every((value) => /^[123]$/.test(value)) ? null : 'the importance must be "1", "2" or "3"'

const fromProblem = (addresses: readonly string[]): string | null =>
  addresses.every((address) => parseAddress(address)) ? null : 'a notification requires a sender address'
