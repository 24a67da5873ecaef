import { checkPasswordForm, hashPassword, type PasswordFormProblem } from '@stoa/kit/crypto/password.ts'
import { failFields } from '../../errors.ts'

/** Why a password is refused, in words for people. */
export const passwordProblems: Readonly<Record<PasswordFormProblem, string>> = {
  too_short: 'must have at least 8 characters',
  too_long: 'must have at most 1024 bytes',
  malformed: 'must be valid text',
}

/** Hashes a new password, or refuses the member `key` that it came in. */
export const hashNewPassword = async (key: string, password: string): Promise<string> => {
  const problem = checkPasswordForm(password)
  return problem === null ? hashPassword(password) : failFields([{ key, message: passwordProblems[problem] }])
}
