import type { UpdateUserInput, User } from '@stoa/cms-model/accounts.ts'
import type { Role } from '@stoa/cms-model/permissions.ts'

export type PersonValues = { name: string; email: string; role: Role; password: string }

/** Only what was changed is sent: another address, role or password ends the person's sessions. */
export const changesOf = (person: User, values: PersonValues): UpdateUserInput => ({
  ...(values.name === person.name ? {} : { name: values.name }),
  ...(values.email === person.email ? {} : { email: values.email }),
  ...(values.role === person.role ? {} : { role: values.role }),
  ...(values.password === '' ? {} : { password: values.password }),
})

/** Whether saving signs the person out everywhere. */
export const endsSessions = ({ email, role, password }: UpdateUserInput): boolean =>
  email !== undefined || role !== undefined || password !== undefined
