// These exports move between nodemailer's versions: every other module imports them from here.
export { default as MailComposer } from 'nodemailer/lib/mail-composer'
export { buildHeaderValue, detectMimeType, encodeWord } from 'nodemailer/lib/mime-funcs'
export { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp'
