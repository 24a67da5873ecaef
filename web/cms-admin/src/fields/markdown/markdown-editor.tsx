import { useCodeView } from '@stoa/ui/code/use-code-view.ts'
import { useUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { type RefObject, useDeferredValue, useMemo, useRef, useState } from 'react'
import { MediaPicker } from '../../media/picker/media-picker.tsx'
import type { EditorOf } from '../editor.ts'
import { useFieldActions } from '../field-actions.tsx'
import { useFieldControl } from '../field-frame.tsx'
import { partOf, useFieldSelection } from '../field-selection.ts'
import { PAGE_BAR } from '../page-bar.ts'
import { LinkDialog } from '../richtext/link-dialog.tsx'
import { Counter } from '../text/counter.tsx'
import { useTextLanguage } from '../text-language.ts'
import { textOf } from '../text-of.ts'
import '@stoa/ui/text/written-text.css'
import '../richtext/rich-text.css'
import { apply, selectedIn } from './apply.ts'
import { markdownExtensions } from './code-extensions.ts'
import { linkEdit, pictureEdit } from './edits.ts'
import { MarkdownToolbar, type PreviewMode } from './markdown-toolbar.tsx'
import { renderMarkdown } from './preview.ts'

/** Markdown source, kept byte for byte, and how it will look. */
export const MarkdownEditor: EditorOf<'markdown'> = (props) => {
  const { field, value, onChange, disabled, look } = props
  const text = textOf(value)
  const control = useFieldControl()
  const language = useTextLanguage()
  const actions = useFieldActions(props)
  const isPage = look === 'page'
  const root = useRef<HTMLDivElement>(null)
  const preview = useRef<HTMLDivElement>(null)
  const [mode, setMode] = useState<PreviewMode>('write')
  const [open, setOpen] = useState<'link' | 'pictures' | null>(null)
  const [uploading, setUploading] = useState(0)
  useUnsavedChanges(uploading > 0)
  const { host, view } = useCodeView({
    text,
    onText: onChange,
    disabled,
    attributes: { ...control, ...language },
    extensions: () =>
      markdownExtensions({
        onLink: () => setOpen('link'),
        onToolbar: () => root.current?.querySelector<HTMLElement>('[role="toolbar"]')?.focus(),
        onScroll: (share) => scrollTo(preview.current, share),
        onUploading: setUploading,
      }),
  })
  useFieldSelection(() => {
    if (!view) return null
    const { from, to } = view.state.selection.main
    return partOf(view.state.doc.toString(), from, to)
  })
  return (
    <div
      ref={root}
      className={cx(
        'min-w-0',
        isPage ? 'page-text' : 'control',
        control['aria-invalid'] && 'border-failed-mark has-[.cm-focused]:outline-failed-mark',
        disabled && !isPage && 'bg-sunken',
      )}
    >
      <div
        className={cx(
          'layer-sticky sticky top-(--editor-bar-top,3.25rem) phone:top-(--editor-bar-top,8.75rem) border-line border-b bg-surface',
          isPage ? PAGE_BAR : 'rounded-t-md',
        )}
      >
        <MarkdownToolbar
          view={view}
          disabled={disabled}
          mode={mode}
          onMode={setMode}
          onLink={() => setOpen('link')}
          onPictures={() => setOpen('pictures')}
          actions={isPage ? actions : undefined}
        />
      </div>
      <div className={cx('grid min-w-0', mode === 'split' && 'h-128 grid-cols-2 divide-x divide-line')}>
        <div
          ref={host}
          className={cx(
            'min-w-0',
            mode === 'preview' && 'hidden',
            mode === 'split' && 'h-full min-h-0',
            mode === 'split' && isPage && 'pr-4',
          )}
        />
        {mode === 'write' ? null : (
          <Preview
            text={text}
            box={preview}
            isBeside={mode === 'split'}
            className={isPage && mode === 'split' ? 'pl-4' : ''}
          />
        )}
      </div>
      <div className={cx('flex items-center gap-3 pb-1.5 text-faint text-xs', !isPage && 'px-3')}>
        <span>{formatCount(wordsIn(text), 'word', 'words')}</span>
        <span role="status">{uploading > 0 ? `Uploading ${formatCount(uploading, 'image', 'images')}…` : ''}</span>
        <span className="flex-1" />
        <Counter length={text.length} min={field.minLength} max={field.maxLength} />
      </div>
      {open === 'link' && view ? (
        <LinkDialog
          initial={null}
          offerNewTab={false}
          onClose={() => setOpen(null)}
          onSave={({ href }, title) => {
            setOpen(null)
            apply(view, linkEdit(selectedIn(view), href, title ?? href))
          }}
        />
      ) : null}
      <MediaPicker
        open={open === 'pictures'}
        onOpenChange={() => setOpen(null)}
        accept={['image/']}
        multiple
        onPick={(media) => {
          if (!view) return
          for (const { url, alt } of media) apply(view, pictureEdit(selectedIn(view), url, alt))
        }}
      />
    </div>
  )
}

type PreviewProps = { text: string; box: RefObject<HTMLDivElement | null>; isBeside: boolean; className: string }

const Preview = ({ text, box, isBeside, className }: PreviewProps) => {
  const shown = useDeferredValue(text)
  const html = useMemo(() => renderMarkdown(shown), [shown])
  return (
    <section
      ref={box}
      aria-label="Preview"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached with the keyboard
      tabIndex={0}
      className={cx('min-w-0', isBeside && 'h-full overflow-y-auto', className)}
    >
      {html === '' ? (
        <p className="px-4 py-3 text-faint text-sm">Nothing to preview yet</p>
      ) : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the policy of stored HTML has gone over it
        <div className="written-text rich-text" dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </section>
  )
}

const scrollTo = (box: HTMLElement | null, share: number): void => {
  if (box) box.scrollTop = share * (box.scrollHeight - box.clientHeight)
}

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0
