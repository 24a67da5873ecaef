import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from '../button/button.tsx'
import { Input } from './input.tsx'

type PasswordInputProps = Omit<ComponentProps<typeof Input>, 'type' | 'trailing' | 'leading'> & {
  autoComplete: 'current-password' | 'new-password'
}

/** A password that can be shown while it is typed. */
export const PasswordInput = (props: PasswordInputProps) => {
  const [shown, setShown] = useState(false)
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      trailing={
        <IconButton
          size="sm"
          label={shown ? 'Hide password' : 'Show password'}
          icon={shown ? <EyeOff /> : <Eye />}
          onClick={() => setShown(!shown)}
          className="size-6 touch:size-8"
        />
      }
    />
  )
}
