import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { iconButtonClass } from '@stoa/ui/button/button-class.ts'
import { Input } from '@stoa/ui/form/input.tsx'
import { Tooltip } from '@stoa/ui/layer/tooltip.tsx'
import { ExternalLink } from 'lucide-react'
import type { EditorProps } from '../editor.ts'
import { textOf } from '../text-of.ts'
import { completeUrl, openableUrl } from './complete-url.ts'

/** An address, with a way to see where it leads. */
export const UrlEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'url'>>) => {
  const text = textOf(value)
  const target = openableUrl(text, field.protocols)
  const complete = () => {
    const completed = completeUrl(text, field.protocols)
    if (completed !== text) onChange(completed)
  }
  return (
    <Input
      inputMode="url"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      placeholder={field.protocols.includes('https') ? 'https://' : undefined}
      value={text}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      onBlur={complete}
      trailing={
        target === undefined ? null : (
          <Tooltip label="Open in a new tab">
            <a
              href={target}
              target="_blank"
              rel="noreferrer"
              aria-label={`Open ${target} in a new tab`}
              className={iconButtonClass('ghost', 'sm', 'size-6 touch:size-8')}
            >
              <ExternalLink aria-hidden />
            </a>
          </Tooltip>
        )
      }
    />
  )
}
