import { Button } from '@stoa/ui/button/button.tsx'
import type { ButtonVariant } from '@stoa/ui/button/button-class.ts'
import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { inputAccept } from './file-check.ts'

type UploadButtonProps = {
  label?: string
  variant?: ButtonVariant
  multiple?: boolean
  accept?: readonly string[] | undefined
  disabled?: boolean
  onFiles: (files: readonly File[]) => void
}

/** Opens the system's choice of files. */
export const UploadButton = (props: UploadButtonProps) => {
  const { label = 'Upload', variant, multiple = true, accept, disabled = false, onFiles } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant={variant ?? 'secondary'}
        icon={<Upload />}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        multiple={multiple}
        accept={inputAccept(accept)}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // Cleared so that the same file can be chosen again
          event.target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
