import { filingInto, type NotifyAction } from '../actions.ts'
import { parseAddress } from '../addresses.ts'
import { constants, keys, tagConstants, tagText, tagTexts, text, texts } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { defineExtension, type TagDefinition } from '../define.ts'
import { matchValues } from '../match/match.ts'
import { isMailto } from '../notify-methods.ts'
import { quoted, SieveRuntimeError } from '../problems.ts'
import { addAction } from '../result.ts'
import type { Run } from '../run.ts'

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

/** RFC 5435, with the method of RFC 5436 unless the environment knows others. */
export const enotify = defineExtension({
  name: 'enotify',
  commands: {
    notify: {
      positional: ['string'],
      tags: {
        from: { value: 'string', check: (call) => fromProblem(tagConstants(call, 'from')) },
        importance: { value: 'string', check: (call) => importanceProblem(tagConstants(call, 'importance')) },
        options: { value: 'strings' },
        message: { value: 'string' },
      },
      check: (call) => methodProblem(constants(call, 0)),
      run: (call, run) => {
        addAction(notifyOf(call, run), call, run)
        return undefined
      },
    },
  },
  tests: {
    valid_notify_method: {
      positional: ['strings'],
      test: (call, run) => texts(call, 0, run).every((method) => isValid(method, run)),
    },
    notify_method_capability: {
      positional: ['string', 'string', 'strings'],
      matches: true,
      test: async (call, run) => {
        const method = text(call, 0, run)
        const name = text(call, 1, run).toLowerCase()
        if (!isValid(method, run)) return false
        const known = await run.chain.environment.notifications?.capability?.(method, name)
        // RFC 5436 §2.4: nobody can tell whether a person reads mail now.
        const value = known ?? (name === 'online' ? 'maybe' : null)
        return matchValues(call, value === null ? [] : [value], keys(call, run), run)
      },
    },
  },
  tags: { set: { encodeurl: encodeUrl }, extracttext: { encodeurl: encodeUrl } },
})

const isValid = (method: string, { chain }: Run): boolean =>
  chain.environment.notifications?.isValid?.(method) ?? isMailto(method)

const notifyOf = (call: Call, run: Run): NotifyAction => {
  const method = text(call, 0, run)
  if (!isValid(method, run)) throw new SieveRuntimeError(`${quoted(method)} is no place that a notification can go to`)
  const importance = tagText(call, 'importance', run)
  const fcc = tagText(call, 'fcc', run)
  return {
    kind: 'notify',
    method,
    message: tagText(call, 'message', run) ?? '',
    from: tagText(call, 'from', run),
    importance: importance === '1' ? 1 : importance === '3' ? 3 : 2,
    options: tagTexts(call, 'options', run),
    fcc: fcc === null ? null : filingInto(fcc),
  }
}

const methodProblem = (methods: readonly string[]): string | null => {
  const wrong = methods.find((method) => !/^[a-z][a-z0-9+.-]*:./i.test(method) || /[\r\n]/.test(method))
  return wrong === undefined ? null : `${quoted(wrong)} is no URI, as in "mailto:name@example.com"`
}

const importanceProblem = (values: readonly string[]): string | null =>
  values.every((value) => /^[123]$/.test(value)) ? null : 'the importance has to be "1", "2" or "3"'

const fromProblem = (addresses: readonly string[]): string | null =>
  addresses.every((address) => parseAddress(address)) ? null : 'a notification needs an address to come from'
