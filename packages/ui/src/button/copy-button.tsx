import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toast } from '../feedback/toast-store.ts'
import { Button, IconButton } from './button.tsx'
import type { ButtonSize, ButtonVariant } from './button-class.ts'

type CopyButtonProps = {
  text: string
  /** What is copied: "Copy API key". */
  label?: string
  size?: ButtonSize
  variant?: ButtonVariant
  /** Only the icon, for tight places; the label becomes its name. */
  iconOnly?: boolean
}

const SHOW_DONE_MS = 1600

/** Puts a text on the clipboard and says so, to the eye and to a screen reader. */
export const CopyButton = ({ text, label = 'Copy', size = 'sm', variant, iconOnly = false }: CopyButtonProps) => {
  const [copied, copy] = useCopy(text)
  const icon = copied ? <Check className="text-live-mark" /> : <Copy />
  return (
    <>
      {iconOnly ? (
        <IconButton size={size} label={copied ? 'Copied' : label} icon={icon} onClick={copy} />
      ) : (
        <Button size={size} variant={variant ?? 'secondary'} icon={icon} onClick={copy}>
          {copied ? 'Copied' : label}
        </Button>
      )}
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}

const useCopy = (text: string): [boolean, () => void] => {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOW_DONE_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Refused by the browser, or a page without https: the text can still be selected by hand
      toast({
        tone: 'danger',
        title: 'Your browser blocked copying',
        description: 'Select the text and copy it by hand.',
      })
    }
  }
  return [copied, () => void copy()]
}
