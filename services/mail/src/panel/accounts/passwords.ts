import { isCommonPassword } from '@stoa/kit/crypto/common-passwords.ts'
import { failMember } from '../../errors.ts'

export const refuseCommonPassword = (password: string): void => {
  if (isCommonPassword(password)) failMember('password', 'this password is too common')
}
