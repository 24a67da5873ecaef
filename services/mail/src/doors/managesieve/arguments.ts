import type { Argument } from './read-command.ts'
import type { Command } from './session.ts'

/** Whether a command was given what it takes. */
export const isGivenRight = ({ takes }: Command, args: readonly Argument[]): boolean => {
  const optionalFrom = takes.indexOf('?')
  const kinds = takes.filter((kind) => kind !== '?')
  const least = optionalFrom === -1 ? kinds.length : optionalFrom
  return args.length >= least && args.length <= kinds.length && args.every(({ kind }, at) => kind === kinds[at])
}

export const bytesOf = (arg: Argument | undefined): Buffer => (arg?.kind === 'string' ? arg.bytes : Buffer.alloc(0))

export const textOf = (arg: Argument | undefined): string => bytesOf(arg).toString('utf8')

export const numberOf = (arg: Argument | undefined): number => (arg?.kind === 'number' ? arg.value : 0)
