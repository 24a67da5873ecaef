import type { Transfer, TransferSecurity } from '@stoa/mail-model/transfers.ts'
import { type KeptOptions, keptOptions } from './kept-options.ts'
import type { NewTransfer } from './queries.ts'
import { isPrivateHost, linesOf, OTHER, presetAt } from './sources.ts'

/** The steps of the form, in order. */
export const steps = ['destination', 'source', 'options', 'review'] as const
export type TransferStep = (typeof steps)[number]

export type TransferValues = {
  step: TransferStep
  address_id: string
  preset: string
  host: string
  port: string
  security: string
  username: string
  password: string
  scope: string
  /** Paths, one in a line. */
  folders: string
  exclude_folders: string
  since: string
}

const empty: TransferValues = {
  step: 'destination',
  address_id: '',
  preset: '',
  host: '',
  port: '993',
  security: 'tls',
  username: '',
  password: '',
  scope: 'all',
  folders: '',
  exclude_folders: '',
  since: '',
}

/** With the settings of an earlier one, but for its password, which nobody has any more. */
export const initialValues = (again: Transfer | undefined, addressId: string): TransferValues => {
  if (!again) return { ...empty, address_id: addressId }
  const { folders, exclude, since } = keptOptions(again.id)
  return {
    ...empty,
    step: 'source',
    address_id: again.address_id,
    preset: presetAt(again.host),
    host: again.host,
    port: String(again.port),
    security: again.security,
    username: again.username,
    scope: folders === '' ? 'all' : 'some',
    folders,
    exclude_folders: exclude,
    since,
  }
}

type Problems = Partial<Record<keyof TransferValues, string>>

const checks: Record<TransferStep, (values: TransferValues) => Problems> = {
  destination: ({ address_id: id }) => (id === '' ? { address_id: 'Choose where the mail goes.' } : {}),
  source: ({ preset, host, port, username, password }) => ({
    ...(preset === '' ? { preset: 'Choose where the mail is now.' } : {}),
    ...(preset === OTHER && host.trim() === '' ? { host: 'Enter the server name.' } : {}),
    ...(/^\d{1,5}$/.test(port.trim()) ? {} : { port: 'Enter a port, usually 993.' }),
    ...(username.trim() === '' ? { username: 'Enter the username, usually the full address.' } : {}),
    ...(password === '' ? { password: 'Enter the password of the other mailbox.' } : {}),
  }),
  options: ({ scope, folders }) =>
    scope === 'some' && linesOf(folders).length === 0 ? { folders: 'Enter at least one folder.' } : {},
  review: () => ({}),
}

/** The problems of all steps up to the current one. */
export const checkSteps = (values: TransferValues): Problems =>
  Object.assign({}, ...steps.slice(0, steps.indexOf(values.step) + 1).map((step) => checks[step](values)))

export const nextStep = (step: TransferStep): TransferStep => steps[steps.indexOf(step) + 1] ?? 'review'
export const previousStep = (step: TransferStep): TransferStep =>
  steps[Math.max(0, steps.indexOf(step) - 1)] ?? 'destination'

/** The step that asks for a member, so that what is wrong is seen there. */
export const stepOf = (member: string): TransferStep => {
  if (member === 'address_id') return 'destination'
  return ['folders', 'exclude_folders', 'since'].includes(member) ? 'options' : 'source'
}

export const securityOf = (value: string): TransferSecurity =>
  value === 'starttls' ? 'starttls' : value === 'none' ? 'none' : 'tls'

export const bodyOf = (values: TransferValues): NewTransfer => ({
  address_id: values.address_id,
  host: values.host.trim(),
  port: Number(values.port),
  security: securityOf(values.security),
  username: values.username.trim(),
  password: values.password,
  folders: values.scope === 'some' ? linesOf(values.folders) : null,
  exclude_folders: linesOf(values.exclude_folders),
  since: values.since === '' ? null : values.since,
})

export const optionsOf = (values: TransferValues): KeptOptions => ({
  folders: values.scope === 'some' ? values.folders : '',
  exclude: values.exclude_folders,
  since: values.since,
})

/** The service does not say whether a host is private or only silent; the reader can do something about it. */
export const hostWords = (host: string, words: string): string =>
  isPrivateHost(host)
    ? 'This server is on a private network. Only public servers are allowed, unless the owner of this instance permits others.'
    : `${words} Check the server name.`
