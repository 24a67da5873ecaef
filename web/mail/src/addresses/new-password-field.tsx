import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Eye, EyeOff, RefreshCw } from 'lucide-react'
import { useId, useState } from 'react'
import { generatePassword, strengthOf } from './passwords.ts'

type NewPasswordFieldProps = {
  label?: string
  help?: string
  value: string
  onValue: (password: string) => void
  error?: string | undefined
}

const marks = { failed: 'bg-failed-mark', draft: 'bg-draft-mark', live: 'bg-live-mark' }

/** A password to choose: typed or drawn, shown on demand, with its strength in words. */
export const NewPasswordField = ({ label = 'Password', help, value, onValue, error }: NewPasswordFieldProps) => {
  const [shown, setShown] = useState(false)
  const strengthId = useId()
  const strength = strengthOf(value)
  const generate = () => {
    onValue(generatePassword())
    setShown(true)
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Field label={label} error={error} {...(help === undefined ? {} : { help })}>
        <div className="flex min-w-0 gap-2 phone:flex-col phone:items-start">
          <Input
            type={shown ? 'text' : 'password'}
            value={value}
            onChange={(event) => onValue(event.target.value)}
            autoComplete="new-password"
            autoCapitalize="none"
            spellCheck={false}
            className={cx(shown && 'font-mono')}
            trailing={
              <>
                {shown && value !== '' ? <CopyButton text={value} label="Copy password" iconOnly /> : null}
                <IconButton
                  size="sm"
                  label={shown ? 'Hide password' : 'Show password'}
                  icon={shown ? <EyeOff /> : <Eye />}
                  onClick={() => setShown(!shown)}
                  className="size-6 touch:size-8"
                />
              </>
            }
          />
          <Button icon={<RefreshCw />} onClick={generate}>
            Generate
          </Button>
        </div>
      </Field>
      <div className="flex items-center gap-2" id={strengthId}>
        <span aria-hidden className="h-1 w-24 shrink-0 overflow-hidden rounded-full bg-pressed">
          <span
            className={cx('block h-full rounded-full transition-[width]', strength && marks[strength.tone])}
            style={{ width: `${(strength?.share ?? 0) * 100}%` }}
          />
        </span>
        <span role="status" className="text-faint text-xs">
          {strength?.words ?? 'A few random words make a strong password'}
        </span>
      </div>
    </div>
  )
}
