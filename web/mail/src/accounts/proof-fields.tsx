import type { User } from '@stoa/mail-model/accounts.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import type { ComponentProps } from 'react'

type TotpFieldProps = { me: User; input: ComponentProps<typeof Input>; error: string | undefined }

/** Asked beside the password of those who have a second factor. */
export const TotpField = ({ me, input, error }: TotpFieldProps) =>
  me.totp_enabled ? (
    <Field label="Code" help="From your authenticator app, or a recovery code." error={error}>
      <Input {...input} autoComplete="one-time-code" autoCapitalize="none" />
    </Field>
  ) : null

/** The member of a body that carries it. */
export const codeOf = (me: User, code: string): { totp_code?: string } => (me.totp_enabled ? { totp_code: code } : {})
