// `npm run mail:account -- <verb> [<email>] [options]`: accounts of the panel, from the host. USAGE lists the verbs.

import { systemClock } from '@stoa/kit/clock.ts'
import { openBlobs } from '@stoa/mail/blobs.ts'
import { readConfig } from '@stoa/mail/config.ts'
import { hostActor } from '@stoa/mail/hosting/audit/audit.ts'
import { PLANS, type PlanName } from '@stoa/mail/hosting/plans/plans.ts'
import { listAccountStates } from '@stoa/mail/hosting/plans/suspension.ts'
import { removeTwoFactor, resetPanelPassword } from '@stoa/mail/panel/accounts/operator.ts'
import { resetSignIn, resumeFor, suspendFor, updateFor } from '@stoa/mail/panel/instance-accounts/operations.ts'
import { findAccountId } from '@stoa/mail/panel/instance-accounts/queries.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import { instanceAccountUpdate, suspendInput } from '@stoa/mail-model/instance-accounts.ts'
import { planLimits } from '@stoa/mail-model/plans.ts'
import { beMailCommand, type MailCommand, type Order } from './mail-command.ts'

const LIMITS = Object.keys(planLimits.shape)

const USAGE = `Usage: npm run mail:account -- list                     list accounts
       npm run mail:account -- suspend <email> [--reason <text>]
                                                        stop sending; they can still receive and read mail
       npm run mail:account -- resume <email>           allow sending again
       npm run mail:account -- plan <email> <plan>      set the plan: ${Object.keys(PLANS).join(', ')}
       npm run mail:account -- limits <email> <limit>=<number|plan> ...
                                                        set limits in place of the plan's: ${LIMITS.join(', ')}
       npm run mail:account -- reset-sign-in <email> [--two-factor-off]
                                                        sign out all sessions and mail a link for a new password
       npm run mail:account -- password <email>         set a new random password; signs out all sessions
       npm run mail:account -- two-factor-off <email>   turn off two-factor authentication; signs out all sessions`

export const readAccountCommand = ([verb = '', given = '', ...rest]: readonly string[]): Order => {
  if (verb === 'list' && given === '') return list
  const order = ORDERS.get(verb)
  const email = parseEmail(given)
  if (!order || email === null) return failUsage()
  return order(email, rest)
}

const failUsage = (): never => {
  throw new Error(USAGE)
}

/** A command that takes nothing but the address. */
const alone =
  (order: (email: string) => Order) =>
  (email: string, rest: readonly string[]): Order =>
    rest.length > 0 ? failUsage() : order(email)

const suspend = (email: string, rest: readonly string[]): Order => {
  const [option, text, ...more] = rest
  if (more.length > 0 || (option !== undefined && (option !== '--reason' || text === undefined))) failUsage()
  const given = suspendInput.safeParse({ reason: text })
  if (text !== undefined && !given.success) throw new Error('Enter a reason of one line, up to 500 characters.')
  return async (command) => {
    const { database, now, print } = command
    const accountId = await idOf(command, email)
    await database.tx((tx) => suspendFor(tx, hostActor(now), { accountId, reason: given.data?.reason ?? null }))
    return print(`${email} suspended. They can still receive and read mail.`)
  }
}

const resume =
  (email: string): Order =>
  async (command) => {
    const { database, now, print } = command
    const accountId = await idOf(command, email)
    await database.tx((tx) => resumeFor(tx, hostActor(now), { accountId }))
    return print(`${email} resumed. They can send mail again.`)
  }

const plan = (email: string, [name = '', ...more]: readonly string[]): Order => {
  if (more.length > 0 || !isPlanName(name)) return failUsage()
  return async (command) => {
    const { database, env, now, print } = command
    const accountId = await idOf(command, email)
    const { billing } = readConfig(env)
    await database.tx((tx) => updateFor(tx, hostActor(now), { accountId, plan: name, limits: undefined, billing }))
    return print(`${email} is on the ${name} plan.`)
  }
}

const isPlanName = (name: string): name is PlanName => Object.hasOwn(PLANS, name)

const limits = (email: string, given: readonly string[]): Order => {
  const wanted = readLimits(given)
  return async (command) => {
    const { database, env, now, print } = command
    const accountId = await idOf(command, email)
    const { billing } = readConfig(env)
    await database.tx((tx) => updateFor(tx, hostActor(now), { accountId, plan: undefined, limits: wanted, billing }))
    return print(`Limits of ${email} changed.`)
  }
}

const readLimits = (given: readonly string[]) => {
  const pairs = given.map((pair) => /^(\w+)=(\d{1,16}|plan)$/.exec(pair) ?? failUsage())
  const values = pairs.map(([, name = '', value]): [string, number | null] =>
    LIMITS.includes(name) ? [name, value === 'plan' ? null : Number(value)] : failUsage(),
  )
  if (values.length === 0) return failUsage()
  const parsed = instanceAccountUpdate.safeParse({ limits: Object.fromEntries(values) })
  return parsed.success ? parsed.data.limits : failUsage()
}

const resetSignInOf = (email: string, rest: readonly string[]): Order => {
  if (rest.length > 1 || (rest.length === 1 && rest[0] !== '--two-factor-off')) failUsage()
  return async (command) => {
    const { database, env, now, print } = command
    const accountId = await idOf(command, email)
    const config = readConfig(env)
    const blobs = await openBlobs(config.storage)
    const parts = { config, blobs, clock: systemClock }
    const input = { accountId, removesTotp: rest.length === 1 }
    await database.tx((tx) => resetSignIn(parts, tx, hostActor(now), input)).finally(() => blobs.close())
    return print(`All sessions of ${email} are signed out. We'll send them a link to choose a new password.`)
  }
}

const idOf = async ({ database }: MailCommand, email: string): Promise<string> =>
  (await findAccountId(database.db, email)) ?? failUnknown(email)

const password =
  (email: string): Order =>
  async ({ database, now, print }) => {
    const drawn = (await resetPanelPassword(database, { email, now })) ?? failUnknown(email)
    return print(
      `Password changed for ${email}; all sessions are signed out. New password (you won't see it again): ${drawn.reveal()}`,
    )
  }

const twoFactorOff =
  (email: string): Order =>
  async ({ database, now, print }) => {
    const wasOn = (await removeTwoFactor(database, { email, now })) ?? failUnknown(email)
    return print(
      wasOn
        ? `Two-factor authentication turned off for ${email}; all sessions are signed out.`
        : `Two-factor authentication is already off for ${email}.`,
    )
  }

const ORDERS: ReadonlyMap<string, (email: string, rest: readonly string[]) => Order> = new Map([
  ['suspend', suspend],
  ['resume', alone(resume)],
  ['plan', plan],
  ['limits', limits],
  ['reset-sign-in', resetSignInOf],
  ['password', alone(password)],
  ['two-factor-off', alone(twoFactorOff)],
])

const failUnknown = (email: string): never => {
  throw new Error(`Account ${email} doesn't exist.`)
}

const list: Order = async ({ database, print }) => {
  const accounts = await listAccountStates(database.db)
  if (accounts.length === 0) return print('No accounts yet.')
  return print(
    accounts
      .map(({ email, role, plan, suspended_at }) =>
        [email, role, plan, ...(suspended_at ? [`(suspended since ${suspended_at.toISOString()})`] : [])].join('  '),
      )
      .join('\n'),
  )
}

if (import.meta.main) await beMailCommand(readAccountCommand)
