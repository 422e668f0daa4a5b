-- Examinations beside the talk (EXAM-1 to EXAM-4). Reasons: docs/decisions/035-examinations.md

-- A line of the chat tells of an examination.
alter table messages
  drop constraint messages_act_kind_check,
  add constraint messages_act_kind_check check (act_kind in ('census.alert', 'examination'));

-- Forms as data: {type, name, loinc, is_bedside, fields} as the contract states them. A version is never changed; of facility null
-- every facility has it.
create table examination_templates (
  id uuid not null,
  version integer not null check (version > 0),
  facility_id uuid references facilities,
  definition jsonb not null check (jsonb_typeof(definition -> 'fields') = 'array'),
  created_at timestamptz not null default now(),
  primary key (id, version)
);

create table examinations (
  id uuid primary key,
  chat_id uuid not null,
  facility_id uuid not null,
  client_id uuid not null,
  template_id uuid not null,
  template_version integer not null,
  state text not null check (state in (
    'draft', 'requested', 'in_progress', 'reported', 'amended', 'cancelled', 'entered_in_error')),
  -- Of everything that can be changed.
  version integer not null default 1 check (version > 0),
  -- Of the signed report; 0 before there is one.
  report_version integer not null default 0 check (report_version >= 0),
  -- For the ranges that hang on it.
  patient_sex text check (patient_sex in ('female', 'male')),
  -- [{label, value, interpretation}] of the last report.
  critical jsonb not null default '[]' check (jsonb_typeof(critical) = 'array'),
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  requested_by uuid references users,
  requested_at timestamptz,
  reason text check (char_length(reason) between 1 and 500),
  reason_by uuid references users,
  reason_at timestamptz,
  updated_at timestamptz not null default now(),
  foreign key (chat_id, facility_id) references chats (id, facility_id),
  foreign key (template_id, template_version) references examination_templates (id, version),
  unique (created_by, client_id),
  check ((requested_by is null) = (requested_at is null)),
  check ((reason is null) = (reason_by is null) and (reason is null) = (reason_at is null)),
  check (state not in ('reported', 'amended') or report_version > 0)
);
-- A page is read by chat, the newest first; ids are made as UUIDv7.
create index examinations_chat_idx on examinations (chat_id, id desc);

-- What stands in the form. A value that was taken out stays as an empty one: who changed it last is known of it too.
create table examination_entries (
  examination_id uuid not null references examinations,
  field text not null check (char_length(field) between 1 and 60),
  value text not null check (char_length(value) <= 4000),
  interpretation text check (interpretation in ('N', 'L', 'H', 'LL', 'HH', 'A', 'AA', 'POS', 'NEG', 'IND')),
  comparison text check (comparison in ('new', 'stable', 'worse', 'better')),
  changed_by uuid not null references users,
  changed_at timestamptz not null default now(),
  -- That of the examination that the change made.
  version integer not null,
  primary key (examination_id, field)
);

-- What was signed, byte for byte. The database itself refuses a hash that is not of it.
create table examination_reports (
  examination_id uuid not null references examinations,
  version integer not null check (version > 0),
  signed_by uuid not null references users,
  signed_at timestamptz not null,
  content text not null check (content is json object),
  sha256 bytea not null,
  primary key (examination_id, version),
  constraint examination_reports_hash_check check (sha256 = sha256(convert_to(content, 'UTF8')))
);

-- Who read which version of a report, and who acknowledged it; never changed.
create table examination_receipts (
  examination_id uuid not null,
  user_id uuid not null references users,
  version integer not null,
  kind text not null check (kind in ('read', 'acknowledged')),
  at timestamptz not null default now(),
  primary key (examination_id, user_id, version, kind),
  foreign key (examination_id, version) references examination_reports (examination_id, version)
);

-- Roles that exist: who talks with people about patients records and signs; who only runs the facility does not.
update roles set permissions = permissions || '{examinations.write,examinations.sign}'
where 'chats.create' = any(permissions) and not 'members.manage' = any(permissions);

insert into examination_templates (id, version, facility_id, definition) values
  ('00000000-0000-7000-8000-0000000000e1', 1, null, '{"type": "laboratory", "name": "Renal profile", "fields": [
    {"code": "question", "label": "Clinical question", "kind": "text", "part": "request"},
    {"code": "potassium", "label": "Potassium", "kind": "quantity", "part": "finding", "unit": {"code": "mmol/L", "label": "mmol/L"}, "loinc": "2823-3", "ranges": [{"low": "3.5", "high": "5.3", "critical_low": "2.5", "critical_high": "6.5"}]},
    {"code": "sodium", "label": "Sodium", "kind": "quantity", "part": "finding", "unit": {"code": "mmol/L", "label": "mmol/L"}, "loinc": "2951-2", "ranges": [{"low": "133", "high": "146", "critical_low": "120", "critical_high": "160"}]},
    {"code": "urea", "label": "Urea", "kind": "quantity", "part": "finding", "unit": {"code": "mmol/L", "label": "mmol/L"}, "loinc": "22664-7", "ranges": [{"low": "2.5", "high": "7.8"}]},
    {"code": "creatinine", "label": "Creatinine", "kind": "quantity", "part": "finding", "unit": {"code": "umol/L", "label": "µmol/L"}, "loinc": "14682-9", "ranges": [{"sex": "female", "age_from": {"value": 18, "unit": "a"}, "low": "45", "high": "84"}, {"sex": "male", "age_from": {"value": 18, "unit": "a"}, "low": "59", "high": "104"}]},
    {"code": "bicarbonate", "label": "Bicarbonate", "kind": "quantity", "part": "finding", "unit": {"code": "mmol/L", "label": "mmol/L"}, "loinc": "1963-8", "ranges": [{"low": "22", "high": "29"}]},
    {"code": "chloride", "label": "Chloride", "kind": "quantity", "part": "finding", "unit": {"code": "mmol/L", "label": "mmol/L"}, "loinc": "2075-0", "ranges": [{"low": "95", "high": "108"}]},
    {"code": "glucose", "label": "Glucose", "kind": "quantity", "part": "finding", "unit": {"code": "mmol/L", "label": "mmol/L"}, "loinc": "14749-6", "ranges": [{"low": "4.0", "high": "7.8", "critical_low": "2.5", "critical_high": "25"}]},
    {"code": "impression", "label": "Impression", "kind": "text", "part": "report"},
    {"code": "recommendations", "label": "Recommendations", "kind": "text", "part": "report"}
  ]}'),
  ('00000000-0000-7000-8000-0000000000e2', 1, null, '{"type": "vital_signs", "name": "Vital signs", "loinc": "85353-1", "is_bedside": true, "fields": [
    {"code": "respiration", "label": "Respiratory rate", "kind": "quantity", "part": "finding", "unit": {"code": "/min", "label": "/min"}, "loinc": "9279-1", "decimals": 0, "ranges": [{"low": "12", "high": "20", "critical_low": "8", "critical_high": "25"}], "news2": "respiration"},
    {"code": "spo2", "label": "SpO₂", "kind": "quantity", "part": "finding", "unit": {"code": "%", "label": "%"}, "loinc": "59408-5", "decimals": 0, "news2": "spo2"},
    {"code": "spo2_scale", "label": "SpO₂ scale", "kind": "code", "part": "finding", "options": [{"code": "1", "label": "Scale 1"}, {"code": "2", "label": "Scale 2, target 88–92 %"}], "news2": "spo2_scale"},
    {"code": "oxygen", "label": "Air or oxygen", "kind": "code", "part": "finding", "options": [{"code": "air", "label": "Air"}, {"code": "oxygen", "label": "Oxygen"}], "news2": "oxygen"},
    {"code": "oxygen_flow", "label": "Oxygen flow", "kind": "quantity", "part": "finding", "unit": {"code": "L/min", "label": "L/min"}, "loinc": "3151-8", "decimals": 1},
    {"code": "systolic", "label": "Systolic pressure", "kind": "quantity", "part": "finding", "unit": {"code": "mm[Hg]", "label": "mmHg"}, "loinc": "8480-6", "decimals": 0, "ranges": [{"low": "111", "high": "219", "critical_low": "90", "critical_high": "220"}], "news2": "systolic"},
    {"code": "diastolic", "label": "Diastolic pressure", "kind": "quantity", "part": "finding", "unit": {"code": "mm[Hg]", "label": "mmHg"}, "loinc": "8462-4", "decimals": 0},
    {"code": "pulse", "label": "Pulse", "kind": "quantity", "part": "finding", "unit": {"code": "/min", "label": "/min"}, "loinc": "8867-4", "decimals": 0, "ranges": [{"low": "51", "high": "90", "critical_low": "40", "critical_high": "131"}], "news2": "pulse"},
    {"code": "consciousness", "label": "Consciousness", "kind": "code", "part": "finding", "options": [{"code": "A", "label": "Alert", "interpretation": "N"}, {"code": "C", "label": "New confusion", "interpretation": "AA"}, {"code": "V", "label": "Responds to voice", "interpretation": "AA"}, {"code": "P", "label": "Responds to pain", "interpretation": "AA"}, {"code": "U", "label": "Unresponsive", "interpretation": "AA"}], "news2": "consciousness"},
    {"code": "temperature", "label": "Temperature", "kind": "quantity", "part": "finding", "unit": {"code": "Cel", "label": "°C"}, "loinc": "8310-5", "decimals": 1, "ranges": [{"low": "36.1", "high": "38.0", "critical_low": "35.0"}], "news2": "temperature"},
    {"code": "impression", "label": "Impression", "kind": "text", "part": "report"}
  ]}'),
  ('00000000-0000-7000-8000-0000000000e3', 1, null, '{"type": "imaging", "name": "Imaging", "loinc": "18748-4", "fields": [
    {"code": "question", "label": "Clinical question", "kind": "text", "part": "request", "loinc": "18785-6"},
    {"code": "modality", "label": "Modality", "kind": "code", "part": "request", "options": [{"code": "DX", "label": "X-ray"}, {"code": "CT", "label": "CT"}, {"code": "MR", "label": "MRI"}, {"code": "US", "label": "Ultrasound"}, {"code": "NM", "label": "Nuclear medicine"}]},
    {"code": "region", "label": "Region", "kind": "text", "part": "request"},
    {"code": "contrast", "label": "Contrast given", "kind": "boolean", "part": "finding"},
    {"code": "main_finding", "label": "Main finding", "kind": "text", "part": "finding"},
    {"code": "size", "label": "Size", "kind": "range", "part": "finding", "unit": {"code": "mm", "label": "mm"}},
    {"code": "technique", "label": "Technique", "kind": "text", "part": "report", "loinc": "55111-9"},
    {"code": "comparison", "label": "Comparison", "kind": "text", "part": "report", "loinc": "18834-2"},
    {"code": "findings", "label": "Findings", "kind": "text", "part": "report", "loinc": "18782-3"},
    {"code": "impression", "label": "Impression", "kind": "text", "part": "report", "loinc": "19005-8", "is_required": true},
    {"code": "recommendations", "label": "Recommendations", "kind": "text", "part": "report", "loinc": "18783-1"}
  ]}'),
  ('00000000-0000-7000-8000-0000000000e4', 1, null, '{"type": "ecg", "name": "12-lead ECG", "loinc": "11524-6", "is_bedside": true, "fields": [
    {"code": "question", "label": "Clinical question", "kind": "text", "part": "request"},
    {"code": "rate", "label": "Ventricular rate", "kind": "quantity", "part": "finding", "unit": {"code": "/min", "label": "/min"}, "loinc": "8867-4", "decimals": 0, "ranges": [{"low": "60", "high": "100", "critical_low": "40", "critical_high": "131"}]},
    {"code": "rhythm", "label": "Rhythm", "kind": "code", "part": "finding", "options": [{"code": "sinus", "label": "Sinus rhythm", "interpretation": "N"}, {"code": "sinus_tachycardia", "label": "Sinus tachycardia", "interpretation": "A"}, {"code": "sinus_bradycardia", "label": "Sinus bradycardia", "interpretation": "A"}, {"code": "atrial_fibrillation", "label": "Atrial fibrillation", "interpretation": "A"}, {"code": "atrial_flutter", "label": "Atrial flutter", "interpretation": "A"}, {"code": "av_block_3", "label": "Third-degree AV block", "interpretation": "AA"}, {"code": "ventricular_tachycardia", "label": "Ventricular tachycardia", "interpretation": "AA"}, {"code": "paced", "label": "Paced", "interpretation": "A"}, {"code": "other", "label": "Other, see findings", "interpretation": "IND"}]},
    {"code": "pr", "label": "PR interval", "kind": "quantity", "part": "finding", "unit": {"code": "ms", "label": "ms"}, "loinc": "8625-6", "decimals": 0, "ranges": [{"low": "120", "high": "200"}]},
    {"code": "qrs", "label": "QRS duration", "kind": "quantity", "part": "finding", "unit": {"code": "ms", "label": "ms"}, "loinc": "8633-0", "decimals": 0, "ranges": [{"high": "120"}]},
    {"code": "qt", "label": "QT interval", "kind": "quantity", "part": "finding", "unit": {"code": "ms", "label": "ms"}, "loinc": "8634-8", "decimals": 0},
    {"code": "qtc", "label": "QTc interval", "kind": "quantity", "part": "finding", "unit": {"code": "ms", "label": "ms"}, "loinc": "8636-3", "decimals": 0, "ranges": [{"sex": "female", "high": "460", "critical_high": "500"}, {"sex": "male", "high": "450", "critical_high": "500"}]},
    {"code": "axis", "label": "QRS axis", "kind": "quantity", "part": "finding", "unit": {"code": "deg", "label": "°"}, "loinc": "8632-2", "decimals": 0, "ranges": [{"low": "-30", "high": "90"}]},
    {"code": "st", "label": "ST segment", "kind": "code", "part": "finding", "options": [{"code": "none", "label": "No deviation", "interpretation": "N"}, {"code": "elevation", "label": "Elevation", "interpretation": "AA"}, {"code": "depression", "label": "Depression", "interpretation": "A"}]},
    {"code": "comparison", "label": "Comparison", "kind": "text", "part": "report"},
    {"code": "impression", "label": "Impression", "kind": "text", "part": "report", "is_required": true}
  ]}'),
  ('00000000-0000-7000-8000-0000000000e5', 1, null, '{"type": "physical", "name": "Physical examination", "loinc": "29545-1", "is_bedside": true, "fields": [
    {"code": "general", "label": "General appearance", "kind": "text", "part": "finding"},
    {"code": "airway", "label": "Airway and breathing", "kind": "text", "part": "finding"},
    {"code": "circulation", "label": "Heart and circulation", "kind": "text", "part": "finding"},
    {"code": "abdomen", "label": "Abdomen", "kind": "text", "part": "finding"},
    {"code": "neurology", "label": "Neurology", "kind": "text", "part": "finding"},
    {"code": "gcs", "label": "Glasgow Coma Scale", "kind": "quantity", "part": "finding", "unit": {"code": "{score}", "label": "of 15"}, "loinc": "9269-2", "decimals": 0, "ranges": [{"low": "15", "critical_low": "8"}]},
    {"code": "skin", "label": "Skin and wounds", "kind": "text", "part": "finding"},
    {"code": "pain", "label": "Pain, 0 to 10", "kind": "quantity", "part": "finding", "unit": {"code": "{score}", "label": "of 10"}, "loinc": "72514-3", "decimals": 0},
    {"code": "impression", "label": "Impression", "kind": "text", "part": "report", "is_required": true},
    {"code": "recommendations", "label": "Recommendations", "kind": "text", "part": "report"}
  ]}'),
  ('00000000-0000-7000-8000-0000000000e6', 1, null, '{"type": "consultation", "name": "Consultation", "loinc": "11488-4", "fields": [
    {"code": "question", "label": "Question", "kind": "text", "part": "request", "is_required": true},
    {"code": "history", "label": "History", "kind": "text", "part": "finding"},
    {"code": "examination", "label": "Examination", "kind": "text", "part": "finding"},
    {"code": "assessment", "label": "Assessment", "kind": "text", "part": "report", "is_required": true},
    {"code": "recommendations", "label": "Recommendations", "kind": "text", "part": "report", "is_required": true}
  ]}'),
  ('00000000-0000-7000-8000-0000000000e7', 1, null, '{"type": "laboratory", "name": "Blood count", "loinc": "58410-2", "fields": [
    {"code": "question", "label": "Clinical question", "kind": "text", "part": "request"},
    {"code": "haemoglobin", "label": "Haemoglobin", "kind": "quantity", "part": "finding", "unit": {"code": "g/L", "label": "g/L"}, "loinc": "718-7", "ranges": [{"age_to": {"value": 28, "unit": "d"}, "low": "140", "high": "240"}, {"sex": "female", "age_from": {"value": 18, "unit": "a"}, "low": "115", "high": "165", "critical_low": "70"}, {"sex": "male", "age_from": {"value": 18, "unit": "a"}, "low": "130", "high": "180", "critical_low": "70"}]},
    {"code": "white_cells", "label": "White cells", "kind": "quantity", "part": "finding", "unit": {"code": "10*9/L", "label": "10⁹/L"}, "loinc": "6690-2", "ranges": [{"low": "4.0", "high": "11.0", "critical_low": "0.5"}]},
    {"code": "platelets", "label": "Platelets", "kind": "quantity", "part": "finding", "unit": {"code": "10*9/L", "label": "10⁹/L"}, "loinc": "777-3", "ranges": [{"low": "150", "high": "400", "critical_low": "20", "critical_high": "1000"}]},
    {"code": "impression", "label": "Impression", "kind": "text", "part": "report"},
    {"code": "recommendations", "label": "Recommendations", "kind": "text", "part": "report"}
  ]}');
