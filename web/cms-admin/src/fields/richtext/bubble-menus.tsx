import { Toolbar, ToolbarButton, ToolbarSeparator } from '@stoa/ui/button/toolbar.tsx'
import type { Editor } from '@tiptap/core'
import { NodeSelection } from '@tiptap/pm/state'
import { useEditorState } from '@tiptap/react'
import { BubbleMenu } from '@tiptap/react/menus'
import { ExternalLink, Images, PencilLine, Trash2, Unlink } from 'lucide-react'
import { useLinkedEntry } from './linked-entry.ts'
import { textAttribute } from './nodes/element.ts'
import {
  type Action,
  type ActionContext,
  linkAction,
  markActions,
  selectionStyleActions,
} from './rich-text-actions.tsx'

type BubbleMenusProps = {
  editor: Editor
  context: ActionContext
  onEditPicture: () => void
  onReplacePicture: () => void
  onEditEmbed: () => void
}

const frame = 'layer-bar rounded-lg border border-line bg-raised p-1 shadow-md'

/** Above the first line it would cover the toolbar. */
const BELOW = { placement: 'bottom-start', offset: 8 } as const

/** Small rows of actions beside what is selected. Everything in them is in the toolbar or by the keyboard as well. */
export const BubbleMenus = (props: BubbleMenusProps) => {
  const { editor } = props
  return (
    <>
      <BubbleMenu editor={editor} pluginKey="textBubble" shouldShow={isTextSelected} options={BELOW} className={frame}>
        <TextBubble {...props} />
      </BubbleMenu>
      <BubbleMenu
        editor={editor}
        pluginKey="nodeBubble"
        shouldShow={(shown) => isNear(shown) && nodeKind(shown.editor) !== null}
        className={frame}
      >
        <NodeBubble {...props} />
      </BubbleMenu>
    </>
  )
}

type Shown = { editor: Editor; view: { hasFocus: () => boolean }; element: HTMLElement }

/** Whether someone is writing here, or is in the row of actions. */
const isNear = ({ editor, view, element }: Shown): boolean =>
  editor.isEditable && (view.hasFocus() || element.contains(document.activeElement))

const isTextSelected = (shown: Shown): boolean => {
  const { editor } = shown
  const { selection } = editor.state
  if (!isNear(shown) || selection instanceof NodeSelection || editor.isActive('codeBlock')) return false
  const isText = !selection.empty && editor.state.doc.textBetween(selection.from, selection.to).trim() !== ''
  return isText || (selection.empty && editor.isActive('link'))
}

const TextBubble = ({ editor, context }: BubbleMenusProps) => {
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      on: [...markActions, ...selectionStyleActions, linkAction]
        .filter((action) => action.isOn?.(now))
        .map((action) => action.id),
      href: textAttribute(now.getAttributes('link'), 'href'),
      entryId: textAttribute(now.getAttributes('link'), 'entryId'),
      isEmpty: now.state.selection.empty,
    }),
  })
  const button = (action: Action) => (
    <ToolbarButton
      key={action.id}
      label={action.label}
      icon={action.icon}
      pressed={state.on.includes(action.id)}
      onClick={() => action.run(editor, context)}
    />
  )
  return (
    <Toolbar label="Selected text" onLeave={() => editor.commands.focus()}>
      {state.isEmpty ? null : (
        <>
          {markActions.map(button)}
          <ToolbarSeparator />
          {selectionStyleActions.map(button)}
          <ToolbarSeparator />
        </>
      )}
      {state.href === null && state.entryId === null ? (
        <ToolbarButton label="Link" icon={linkAction.icon} onClick={context.openLink} />
      ) : (
        <>
          <LinkTarget href={state.href} entryId={state.entryId} />
          <ToolbarButton label="Edit link" icon={<PencilLine />} onClick={context.openLink} />
          {state.href !== null && /^https?:/.test(state.href) ? (
            <ToolbarButton
              label="Open link"
              icon={<ExternalLink />}
              onClick={() => void open(state.href ?? '', '_blank', 'noreferrer')}
            />
          ) : null}
          <ToolbarButton
            label="Remove link"
            icon={<Unlink />}
            onClick={() => editor.chain().focus().extendMarkRange('link').unsetLink().run()}
          />
        </>
      )}
    </Toolbar>
  )
}

const LinkTarget = ({ href, entryId }: { href: string | null; entryId: string | null }) => {
  const { title, isGone } = useLinkedEntry(entryId)
  return (
    <span className="max-w-56 truncate px-1.5 text-muted text-xs">{isGone ? 'Deleted entry' : (title ?? href)}</span>
  )
}

/** The selected picture or player; a caption belongs to its picture. */
const nodeKind = (editor: Editor): 'picture' | 'embed' | null => {
  const { selection } = editor.state
  if (selection instanceof NodeSelection) {
    const { name } = selection.node.type
    return name === 'picture' || name === 'embed' ? name : null
  }
  return selection.empty && selection.$from.parent.type.name === 'picture' ? 'picture' : null
}

const NodeBubble = ({ editor, onEditPicture, onReplacePicture, onEditEmbed }: BubbleMenusProps) => {
  const kind = useEditorState({ editor, selector: ({ editor: now }) => nodeKind(now) })
  const isPicture = kind === 'picture'
  return (
    <Toolbar label={isPicture ? 'Image' : 'Video'} onLeave={() => editor.commands.focus()}>
      <ToolbarButton
        label={isPicture ? 'Alt text, caption and position' : 'Edit video'}
        icon={<PencilLine />}
        onClick={isPicture ? onEditPicture : onEditEmbed}
      />
      {isPicture ? <ToolbarButton label="Replace image" icon={<Images />} onClick={onReplacePicture} /> : null}
      <ToolbarButton
        label={isPicture ? 'Remove image' : 'Remove video'}
        icon={<Trash2 />}
        onClick={() => removeNode(editor)}
      />
    </Toolbar>
  )
}

const removeNode = (editor: Editor): void => {
  const { selection } = editor.state
  if (selection instanceof NodeSelection) editor.chain().focus().deleteSelection().run()
  else editor.chain().focus().deleteNode('picture').run()
}
