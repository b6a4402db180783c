import { defineCheck } from '../check.ts';
import { quoted } from '../quoted.ts';

/** Extensions of files that Amazon SES rejects. Services of this kind send through it. */
const rejectedTypes = new Set(
  `ade adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse
   ksh lib lnk mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh2
   mshxml msh1xml msh2xml msi msp mst ops pcd pif plg prf prg reg scf scr sct shb shs sys ps1 ps1xml
   ps2 ps2xml psc1 psc2 tmp url vb vbe vbs vps vsmacros vss vst vsw vxd ws wsc wsf wsh xnk`.split(
    /\s+/,
  ),
);

export const attachmentType = defineCheck({
  code: 'attachment-type',
  severity: 'error',
  meaning: 'a file type that services and mailboxes reject',
  find({ attachments = [] }, report) {
    for (const { filename } of attachments) {
      const ending = filename.split('.').at(-1)?.toLowerCase() ?? '';
      if (!filename.includes('.') || !rejectedTypes.has(ending)) continue;
      report({
        where: 'attachments',
        message: `${quoted(filename)} is rejected, because files of the type .${ending} may be harmful.`,
      });
    }
  },
});
