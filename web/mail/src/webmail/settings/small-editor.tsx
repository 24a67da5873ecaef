import { Button } from '@stoa/ui/button/button.tsx'
import { Toolbar, ToolbarButton, ToolbarSeparator } from '@stoa/ui/button/toolbar.tsx'
import { FieldContext, useFieldWiring } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import type { Editor } from '@tiptap/core'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { Bold, Italic, Link as LinkIcon, List, ListOrdered, RemoveFormatting, Underline } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

type SmallEditorProps = {
  /** Names it for screen readers. */
  label: string
  html: string
  onHtml: (html: string) => void
}

const FORMATTED =
  'min-h-28 px-3 py-2.5 text-ink text-base leading-text outline-none [&_a]:text-accent-ink [&_a]:underline [&_ol]:list-decimal [&_ol]:pl-5 [&_ul]:list-disc [&_ul]:pl-5 whitespace-break-spaces'

/** A few lines with bold, links and lists: signatures and replies. What it cannot hold is left out. */
export const SmallEditor = ({ label, html, onHtml }: SmallEditorProps) => {
  const wiring = useFieldWiring({})
  const reportChange = useEffectEvent(onHtml)
  const [options] = useState(() => ({
    extensions: [
      StarterKit.configure({
        heading: false,
        codeBlock: false,
        code: false,
        blockquote: false,
        link: { openOnClick: false, protocols: ['mailto', 'tel'], HTMLAttributes: { rel: null, target: null } },
      }),
    ],
    content: html,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: {
        ...Object.fromEntries(
          Object.entries(wiring).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
        ),
        class: FORMATTED,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
      },
    },
  }))
  const editor = useEditor(options)
  const reported = useRef(html)
  useEffect(() => {
    // Discarded, or set from outside
    if (html === reported.current) return
    reported.current = html
    editor.commands.setContent(html, { emitUpdate: false })
  }, [editor, html])
  useEffect(() => {
    const update = () => {
      reported.current = editor.isEmpty ? '' : editor.getHTML()
      reportChange(reported.current)
    }
    editor.on('update', update)
    return () => {
      editor.off('update', update)
    }
  }, [editor])
  return (
    <div className="control min-w-0">
      <SmallToolbar editor={editor} />
      <EditorContent editor={editor} />
    </div>
  )
}

/** A read-only view of the text, as others will see it. */
export const SmallView = ({ html }: { html: string }) => {
  const editor = useEditor(
    {
      extensions: [StarterKit.configure({ link: { openOnClick: false } })],
      content: html,
      editable: false,
      injectCSS: false,
      editorProps: { attributes: { class: cx(FORMATTED, 'min-h-0! px-0! py-0!') } },
    },
    [html],
  )
  return <EditorContent editor={editor} />
}

const SmallToolbar = ({ editor }: { editor: Editor }) => {
  const [linking, setLinking] = useState(false)
  const on = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      bold: current.isActive('bold'),
      italic: current.isActive('italic'),
      underline: current.isActive('underline'),
      link: current.isActive('link'),
      list: current.isActive('bulletList'),
      numbers: current.isActive('orderedList'),
    }),
  })
  const chain = () => editor.chain().focus()
  return (
    <div className="border-line border-b px-1.5 py-1">
      <Toolbar label="Formatting" onLeave={() => editor.commands.focus()} className="flex-wrap">
        <ToolbarButton
          label="Bold"
          shortcut="mod+b"
          icon={<Bold />}
          pressed={on.bold}
          onClick={() => chain().toggleBold().run()}
        />
        <ToolbarButton
          label="Italic"
          shortcut="mod+i"
          icon={<Italic />}
          pressed={on.italic}
          onClick={() => chain().toggleItalic().run()}
        />
        <ToolbarButton
          label="Underline"
          shortcut="mod+u"
          icon={<Underline />}
          pressed={on.underline}
          onClick={() => chain().toggleUnderline().run()}
        />
        <ToolbarButton label="Link" icon={<LinkIcon />} pressed={on.link} onClick={() => setLinking(!linking)} />
        <ToolbarSeparator />
        <ToolbarButton
          label="Bulleted list"
          icon={<List />}
          pressed={on.list}
          onClick={() => chain().toggleBulletList().run()}
        />
        <ToolbarButton
          label="Numbered list"
          icon={<ListOrdered />}
          pressed={on.numbers}
          onClick={() => chain().toggleOrderedList().run()}
        />
        <ToolbarButton
          label="Remove formatting"
          icon={<RemoveFormatting />}
          onClick={() => chain().unsetAllMarks().clearNodes().run()}
        />
      </Toolbar>
      {linking ? (
        // An input of its own: it is not what the label of the field is about
        <FieldContext value={null}>
          <LinkRow editor={editor} onDone={() => setLinking(false)} />
        </FieldContext>
      ) : null}
    </div>
  )
}

/** The link target for typed text: without a scheme it is a website or a mail address. */
export const targetOf = (typed: string): string => {
  const text = typed.trim()
  if (/^(?:https?|mailto|tel):/i.test(text)) return text
  return text.includes('@') && !text.includes('/') ? `mailto:${text}` : `https://${text}`
}

const LinkRow = ({ editor, onDone }: { editor: Editor; onDone: () => void }) => {
  const before: unknown = editor.getAttributes('link').href
  const [typed, setTyped] = useState(typeof before === 'string' ? before : '')
  const apply = () => {
    const chain = editor.chain().focus().extendMarkRange('link')
    if (typed.trim() === '') chain.unsetLink().run()
    else if (editor.state.selection.empty && !editor.isActive('link'))
      chain
        .insertContent({
          type: 'text',
          text: typed.trim(),
          marks: [{ type: 'link', attrs: { href: targetOf(typed) } }],
        })
        .run()
    else chain.setLink({ href: targetOf(typed) }).run()
    onDone()
  }
  return (
    <div className="flex gap-2 px-1 pt-1 pb-0.5">
      <Input
        aria-label="Link URL"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            apply()
          }
          if (event.key === 'Escape') {
            event.stopPropagation()
            onDone()
            editor.commands.focus()
          }
        }}
        ref={(input) => input?.focus()}
        placeholder="www.example.com or ada@example.com"
        autoCapitalize="none"
      />
      <Button onClick={apply}>{typed.trim() === '' ? 'Remove' : 'Apply'}</Button>
    </div>
  )
}
