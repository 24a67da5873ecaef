import { checkPasswordForm, hashPassword, type PasswordFormProblem } from '@stoa/kit/crypto/password.ts'
import { failFields } from '../../errors.ts'

/** Why a password is refused, in words for people. */
export const passwordProblems: Readonly<Record<PasswordFormProblem, string>> = {
  too_short: 'must have 8 characters or more',
  too_long: 'must have 1024 bytes at most',
  malformed: 'must be readable text',
}

/** Hashes a new password, or refuses the member `key` that it came in. */
export const hashNewPassword = async (key: string, password: string): Promise<string> => {
  const problem = checkPasswordForm(password)
  return problem === null ? hashPassword(password) : failFields([{ key, message: passwordProblems[problem] }])
}
