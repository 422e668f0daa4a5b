import * as contract from '@wardline/contract/examinations/examinations.ts';
import * as forms from '@wardline/contract/examinations/forms.ts';
import { importExaminations as importEndpoint } from '@wardline/contract/examinations/imports.ts';
import * as laboratory from '@wardline/contract/examinations/laboratory.ts';
import { listTrend as listTrendEndpoint } from '@wardline/contract/examinations/trends.ts';
import { fileRoute, type Route, route } from '#/platform/http/route.ts';
import { acknowledgeReport, listReportVersions } from './acknowledge-report.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { createExamination } from './create-examination.ts';
import { exportChat } from './export-chat.ts';
import { exportExamination, noteExaminationPrint } from './export-examination.ts';
import { checkUnit } from './forms/check-unit.ts';
import { exportExaminationForm } from './forms/export-form.ts';
import { getExaminationForm, listExaminationForms, listFormVersions } from './forms/list-forms.ts';
import { moveExaminationForm } from './forms/move-form.ts';
import { createExaminationForm, discardFormDraft, saveFormDraft } from './forms/save-form.ts';
import { getExamination, listExaminations } from './get-examination.ts';
import { importExaminations } from './import-examinations.ts';
import { assignResult } from './laboratory/assign-result.ts';
import { getLaboratoryFeed, listLaboratoryMessages, setLaboratoryFeed } from './laboratory/laboratory-feed.ts';
import { listLaboratoryResults } from './laboratory/list-results.ts';
import { setResultAside } from './laboratory/set-result-aside.ts';
import { listExaminationTemplates } from './list-templates.ts';
import { listTrend } from './list-trend.ts';
import { moveExamination } from './move-examination.ts';
import { renewExaminationForm } from './renew-form.ts';
import { updateExamination } from './update-examination.ts';

export function examinationRoutes(deps: ExaminationDeps): Route[] {
  return [
    route(contract.listExaminationTemplates, listExaminationTemplates),
    route(contract.createExamination, createExamination(deps), { limit: 'opening' }),
    route(contract.listExaminations, listExaminations(deps)),
    route(contract.getExamination, getExamination(deps)),
    route(contract.updateExamination, updateExamination(deps)),
    route(contract.moveExamination, moveExamination(deps)),
    route(contract.listReportVersions, listReportVersions(deps)),
    route(listTrendEndpoint, listTrend(deps)),
    route(contract.exportExamination, exportExamination(deps)),
    route(contract.noteExaminationPrint, noteExaminationPrint(deps)),
    route(contract.exportChat, exportChat(deps)),
    route(laboratory.listLaboratoryResults, listLaboratoryResults(deps)),
    route(laboratory.assignLaboratoryResult, assignResult(deps)),
    route(laboratory.setAsideLaboratoryResult, setResultAside(deps)),
    route(laboratory.getLaboratoryFeed, getLaboratoryFeed),
    route(laboratory.setLaboratoryFeed, setLaboratoryFeed),
    route(laboratory.listLaboratoryMessages, listLaboratoryMessages),
    fileRoute(importEndpoint, importExaminations(deps)),
    route(forms.listExaminationForms, listExaminationForms),
    route(forms.createExaminationForm, createExaminationForm),
    route(forms.getExaminationForm, getExaminationForm),
    route(forms.listFormVersions, listFormVersions),
    route(forms.saveFormDraft, saveFormDraft),
    route(forms.discardFormDraft, discardFormDraft),
    route(forms.moveExaminationForm, moveExaminationForm),
    route(forms.exportExaminationForm, exportExaminationForm),
    route(forms.checkUnit, checkUnit),
    route(forms.renewExaminationForm, renewExaminationForm(deps)),
    route(contract.acknowledgeReport, acknowledgeReport(deps), { limit: 'background' }),
  ];
}
