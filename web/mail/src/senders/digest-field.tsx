import { type Digest, digests } from '@stoa/mail-model/digest.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Select } from '@stoa/ui/form/select.tsx'

const LABELS: Readonly<Record<Digest, string>> = { off: 'Off', daily: 'Every day', weekly: 'Every week' }

type DigestFieldProps = { value: Digest; onValue: (value: Digest) => void; error: string | undefined }

/** How often a mailbox gets a mail that lists what was put in Junk. */
export const DigestField = ({ value, onValue, error }: DigestFieldProps) => (
  <Field label="Junk digest" help="An email that lists new messages in Junk, if there are any." error={error}>
    <Select
      value={value}
      options={digests.map((digest) => ({ value: digest, label: LABELS[digest] }))}
      onValue={(chosen) => onValue(digests.find((digest) => digest === chosen) ?? 'off')}
    />
  </Field>
)
