import type { Message, MessageWarning } from '@stoa/mail-model/messages.ts'

/** Checks of the sender of a message. */
export type SenderCheck = {
  /** `verified`: the domain of the address vouches for the message; `forged`: it says that the message is not from there. */
  verdict: 'verified' | 'forged' | 'unknown'
  domain: string
  /** The host that checked it. */
  by: string
  warnings: readonly MessageWarning[]
  /** The sender may be forged: nothing is loaded or trusted without asking. */
  isDoubtful: boolean
}

const VERDICTS = { pass: 'verified', fail: 'forged', none: 'unknown' } as const

export const senderCheck = (message: Pick<Message, 'authentication' | 'warnings'> | undefined): SenderCheck => {
  if (!message) return { verdict: 'unknown', domain: '', by: '', warnings: [], isDoubtful: false }
  const { authentication, warnings } = message
  const verdict = VERDICTS[authentication.result]
  const isDisguised = warnings.some(({ code }) => code !== 'misleading_link')
  // A badge would vouch for the very name that is meant to be taken for another
  const shown = verdict === 'verified' && isDisguised ? 'unknown' : verdict
  return {
    verdict: shown,
    domain: authentication.domain ?? '',
    by: authentication.checked_by ?? '',
    warnings,
    isDoubtful: verdict === 'forged' || isDisguised,
  }
}

/** One title for all warnings. */
export const warningsTitle = ({ isDoubtful, warnings }: Pick<SenderCheck, 'isDoubtful' | 'warnings'>): string => {
  if (isDoubtful) return 'The sender might not be who they claim to be'
  return warnings.length > 1 ? 'Some links lead somewhere else' : 'A link leads somewhere else'
}

/** One warning in plain words; `name` is that of the sender. */
export const warningWords = ({ code, shown, actual }: MessageWarning, name: string | null): string => {
  switch (code) {
    case 'name_shows_address':
    case 'name_shows_domain':
      return `The name shows ${shown}, but this message was sent from ${actual}.`
    case 'known_name':
      return `You know ${name ?? 'this person'} as ${shown}, but this message was sent from ${actual}.`
    case 'lookalike_domain':
      return `${actual} looks like ${shown}, but it's a different domain.`
    case 'deceptive_domain':
      return `The address uses lookalike letters: ${shown} is really ${actual}.`
    case 'misleading_link':
      return `A link says ${shown}, but it opens ${actual}.`
  }
}

/** The first value of a header field. */
export const headerOf = (headers: Message['headers'], wanted: string): string | undefined =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value
