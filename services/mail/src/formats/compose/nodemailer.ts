// What nodemailer offers beside its main entry moves between its versions, and is named here only.
export { default as MailComposer } from 'nodemailer/lib/mail-composer'
export { buildHeaderValue, detectMimeType, encodeWord } from 'nodemailer/lib/mime-funcs'
export { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp'
