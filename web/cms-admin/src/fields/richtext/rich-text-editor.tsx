import { textOfHtml } from '@stoa/cms-model/html/text.ts'
import { useUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { Editor } from '@tiptap/core'
import { EditorContent, useEditorState } from '@tiptap/react'
import { useRef, useState } from 'react'
import { may } from '../../allowed.tsx'
import { meQuery } from '../../queries.ts'
import type { EditorOf } from '../editor.ts'
import { useFieldActions } from '../field-actions.tsx'
import { useFieldControl } from '../field-frame.tsx'
import { useFieldSelection } from '../field-selection.ts'
import { PAGE_BAR } from '../page-bar.ts'
import { Counter } from '../text/counter.tsx'
import { useTextLanguage } from '../text-language.ts'
import { textOf } from '../text-of.ts'
import { BubbleMenus } from './bubble-menus.tsx'
import { editorExtensions } from './editor-extensions.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import { FindBar } from './find-bar.tsx'
import type { Action, ActionContext } from './rich-text-actions.tsx'
import '@stoa/ui/text/written-text.css'
import './rich-text.css'
import { type OpenDialog, RichTextDialogs } from './rich-text-dialogs.tsx'
import { selectedPart } from './selected-part.ts'
import { createSlashStore } from './slash-menu.ts'
import { SlashMenuList } from './slash-menu-list.tsx'
import { embedHostsOf } from './stored-html.ts'
import { countPending } from './upload-pictures.ts'
import { useRichText } from './use-rich-text.ts'

/** Formatted writing, as the policy of stored HTML allows it. */
export const RichTextEditor: EditorOf<'richtext'> = (props) => {
  const { field, value, onChange, disabled, look } = props
  const { data: me } = useSuspenseQuery(meQuery)
  const html = textOf(value)
  const control = useFieldControl()
  const language = useTextLanguage()
  const actions = useFieldActions(props)
  const isPage = look === 'page'
  const root = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const [isFinding, setFinding] = useState(false)
  const [isFullScreen, setFullScreen] = useState(false)
  const [slash] = useState(createSlashStore)
  const context: ActionContext = {
    openLink: () => setOpen('link'),
    openPictures: () => setOpen('pictures'),
    openPlayers: () => setOpen('players'),
    openEmbed: () => setOpen('embed'),
  }
  const leaveFullScreen = (): boolean => {
    const isLeft = root.current?.hasAttribute('data-full-screen') ?? false
    if (isLeft) setFullScreen(false)
    return isLeft
  }
  const runRef = useRef<(action: Action) => void>(undefined)
  const editor = useRichText({
    html,
    onHtml: onChange,
    disabled,
    attributes: {
      ...control,
      ...language,
      class: 'written-text rich-text',
      role: 'textbox',
      'aria-multiline': 'true',
      ...(disabled ? { 'aria-disabled': 'true', tabindex: '0' } : {}),
    },
    extensions: () =>
      editorExtensions({
        slash,
        onRun: (action) => runRef.current?.(action),
        keys: {
          onLink: context.openLink,
          onFind: () => setFinding(true),
          onToolbar: () => focusToolbar(root.current),
          onLeave: leaveFullScreen,
        },
      }),
  })
  runRef.current = (action) => action.run(editor, context)
  useFieldSelection(() => selectedPart(editor.state, html, document.implementation.createHTMLDocument('')))
  return (
    <div
      ref={root}
      data-full-screen={isFullScreen ? '' : undefined}
      data-page={isFullScreen ? 'inside' : undefined}
      className={cx(
        'min-w-0',
        isPage && 'page-text',
        isFullScreen ? 'layer-overlay fixed inset-0 flex flex-col bg-surface' : !isPage && 'control',
        control['aria-invalid'] && 'border-failed-mark has-[.ProseMirror-focused]:outline-failed-mark',
        disabled && !isPage && 'bg-sunken',
      )}
    >
      <div
        className={cx(
          'layer-sticky border-line border-b bg-surface',
          isPage && !isFullScreen && PAGE_BAR,
          !isFullScreen && 'sticky top-(--editor-bar-top,3.25rem) phone:top-(--editor-bar-top,8.75rem)',
          !isFullScreen && !isPage && 'rounded-t-md',
        )}
      >
        <EditorToolbar
          editor={editor}
          context={context}
          disabled={disabled}
          isFullScreen={isFullScreen}
          onFullScreen={() => setFullScreen(!isFullScreen)}
          onCaption={() => setOpen('caption')}
          onFind={() => setFinding(true)}
          onSource={may(me, 'types.manage') ? () => setOpen('source') : undefined}
          actions={isPage ? actions : undefined}
        />
        {isFinding ? <FindBar editor={editor} disabled={disabled} onClose={() => setFinding(false)} /> : null}
      </div>
      <EditorContent
        editor={editor}
        className={cx(
          isFullScreen && 'min-h-0 flex-1 overflow-y-auto [&_.rich-text]:mx-auto [&_.rich-text]:max-w-prose',
        )}
      />
      <Footer
        editor={editor}
        html={html}
        min={field.minLength}
        max={field.maxLength}
        className={isPage && !isFullScreen ? '' : 'px-3'}
      />
      <BubbleMenus
        editor={editor}
        context={context}
        onEditPicture={() => setOpen('picture')}
        onReplacePicture={() => setOpen('other-picture')}
        onEditEmbed={() => setOpen('edit-embed')}
      />
      <SlashMenuList editor={editor} store={slash} />
      <RichTextDialogs
        editor={editor}
        open={open}
        html={html}
        embedHosts={embedHostsOf(html)}
        onHtml={onChange}
        onClose={() => setOpen(null)}
      />
    </div>
  )
}

type FooterProps = {
  editor: Editor
  html: string
  min: number | undefined
  max: number | undefined
  className: string
}

/** How much there is, and what is still on its way. */
const Footer = ({ editor, html, min, max, className }: FooterProps) => {
  const uploading = useEditorState({ editor, selector: ({ editor: now }) => countPending(now.state.doc) })
  useUnsavedChanges(uploading > 0)
  const text = textOfHtml(html)
  return (
    <div className={cx('flex items-center gap-3 pb-1.5 text-faint text-xs', className)}>
      <span>{formatCount(text === '' ? 0 : text.split(' ').length, 'word', 'words')}</span>
      <span role="status">{uploading > 0 ? `Uploading ${formatCount(uploading, 'image', 'images')}…` : ''}</span>
      <span className="flex-1" />
      <Counter length={text.length} min={min} max={max} />
    </div>
  )
}

const focusToolbar = (root: HTMLElement | null): void => root?.querySelector<HTMLElement>('[role="toolbar"]')?.focus()
